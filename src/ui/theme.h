// Colours, sizes and fonts of the panels, light and dark. Sizes are in points (CSS pixels); ImGui scales to the device.
#pragma once

#include <imgui.h>

#include "playground/colormap.h"
#include "playground/state.h"

namespace attn {

struct Palette {
    bool is_dark = false;
    ImU32 paper, panel, ink, soft_ink, line, accent, on_accent, lit, chip, hatch, warning;
};

// Sizes of text as ImGui counts them: the height of a line. Whole points, because ImGui draws the letters of whole
// sizes and would stretch them to others.
inline constexpr float kTinySize = 12;     // a token's place
inline constexpr float kHeadingSize = 14;  // section headings
inline constexpr float kSmallSize = 15;    // shapes, help, remarks
inline constexpr float kMonoSize = 15;     // arithmetic
inline constexpr float kTextSize = 17;     // what is read: 13 points an em
inline constexpr float kTitleSize = 18;    // the program's name, the sentence
inline constexpr float kWelcomeSize = 26;
inline constexpr float kNumberSize = 34;  // the explained number

inline constexpr float kMargin = 16;   // around and between panels
inline constexpr float kRounding = 7;  // of controls, boxes and cards

const Palette& palette_of(bool is_dark);

// Whether the dark palette is meant: the state's theme, or the system's where that is left to it.
bool shows_dark(Theme theme, bool system_is_dark);

// Sets ImGui's style (rounding, spacing, colours) to the palette.
void apply_style(const Palette& palette);

ImU32 to_imgui(Rgb color, float alpha = 1);

}  // namespace attn
