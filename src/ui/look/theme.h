// Colours, sizes and fonts of the panels, light and dark. Sizes are in points (CSS pixels); ImGui scales to the device.
#pragma once

#include <imgui.h>

#include <array>

#include "playground/state/state.h"
#include "scene/kit/colormap.h"
#include "scene/kit/palette.h"

namespace attn {

using Palette = PaletteOf<ImU32>;

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

// What a system insists on (a contrast theme), 0xRRGGBB: ground, text, links, what is chosen, and what is written on
// that.
using ForcedColors = std::array<unsigned, 5>;

// All colours around the numbers made from these. A choice takes the colour of links if its own is illegible on the
// background.
Palette forced_palette(const ForcedColors& colors);

// Whether to use the dark palette: by the state's theme, or by the system's if the state leaves it open.
bool shows_dark(Theme theme, bool system_is_dark);

// Sets ImGui's style (rounding, spacing, colours) to the palette.
void apply_style(const Palette& palette);

ImU32 to_imgui(Rgb color, float alpha = 1);

}  // namespace attn
