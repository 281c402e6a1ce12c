// Colours, sizes and fonts of the panels, light and dark. Sizes are in points (CSS pixels); ImGui scales to the device.
#pragma once

#include <imgui.h>

#include "render/colormap.h"

namespace attn {

struct Palette {
    bool is_dark = false;
    ImU32 paper, panel, ink, soft_ink, line, accent, on_accent, lit, chip, hatch, warning;
};

const Palette& palette_of(bool is_dark);

// Sets ImGui's style (rounding, spacing, colours) to the palette.
void apply_style(const Palette& palette);

ImU32 to_imgui(Rgb color, float alpha = 1);

}  // namespace attn
