// What stands in the cells of a map: colours, hatching, numbers, marks. Only figure_map.cpp needs it.
#pragma once

#include <string_view>

#include "share/figure_map.h"

namespace attn {

inline constexpr std::string_view kNotOne = " ≠ 1";  // behind a sum of a row that should be 1

void draw_cells(FigureBlock& block, const FigureTask& task, const FigureMap& map);
void draw_cell_numbers(FigureBlock& block, const FigureTask& task, const FigureMap& map);
void draw_change_marks(FigureBlock& block, const FigureTask& task, const FigureMap& map);

}  // namespace attn
