// Text in the maps, level or slanted. ImGui puts text on whole points; this unit puts it on device pixels, which
// centres numbers in their cells at every scale.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "ui/kit/text.h"

namespace attn {

// Draws one line, turned by `angle` (radians, from level to rising) about the left end of its middle line, `start`.
void draw_turned(const TextStyle& style, ImVec2 start, float angle, std::string_view text);

// Draws one line inside a box; align.x 0 left, 1 right, align.y 0 top, 1 bottom. `scale`: device pixels a point.
void draw_level(const TextStyle& style, ImVec2 min, ImVec2 max, ImVec2 align, float scale, std::string_view text);

// --- numbers in coloured cells
inline constexpr float kSmallestNumber = 8;  // em: a smaller one is not legible
inline constexpr float kBetweenNumbers = 2;  // side by side

// The width in em of the numbers that most cells hold, of a range up to `high`: ".44", "−.44", "−1.23".
float usual_number_width(bool is_signed, float high);
// ImGui's size for such numbers in cells of this size. Numbers do not fill large cells, because the colour must show.
float cell_number_size(ImVec2 cell, float usual_width);
// The height from which a cell takes such a number, however wide it is.
float lowest_number_cell();
// The number of a cell that has `room` for it: cell_number(), but "1.2e−4" or "1e−4" instead of "<.01" where that fits
// and all numbers beside it are small, too. `high`: the largest of them.
std::string number_in_cell(ImFont* font, double value, float high, float room);
// In the middle of a cell, smaller where it would be wider than the cell.
void draw_in_cell(TextStyle style, ImVec2 min, ImVec2 max, float scale, std::string_view text);

}  // namespace attn
