// Text in the maps, level or slanted. ImGui puts text on whole points; here it stands on device pixels, so that numbers
// are in the middle of their cells at every scale.
#pragma once

#include <imgui.h>

#include <string_view>

#include "ui/text.h"

namespace attn {

// Draws one line, turned by `angle` (radians, from level to rising) about the left end of its middle line, `start`.
void draw_turned(const TextStyle& style, ImVec2 start, float angle, std::string_view text);

// Draws one line inside a box; align.x 0 left, 1 right, align.y 0 top, 1 bottom. `scale`: device pixels a point.
void draw_level(const TextStyle& style, ImVec2 min, ImVec2 max, ImVec2 align, float scale, std::string_view text);

}  // namespace attn
