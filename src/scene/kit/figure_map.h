// One matrix as a map of coloured cells, with everything that may stand on it and beside it. Knows no stage and no
// view. Small maps have a rectangle with a tip for each cell; large ones join neighbours of one colour, and beyond a
// budget several cells become one, which has the largest of their numbers in absolute value, as on the screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/kit/figure_cells.h"
#include "scene/kit/figure_map_grid.h"

namespace attn {

// Width of the numbers beside the rows, with their distance; 0 for none.
double row_numbers_width(const std::optional<RowNumbers>& numbers);

// The map with its labels; its cells begin at (axes.left, axes.top).
FigureBlock map_block(const FigureTask& task, const FigureMap& map);

}  // namespace attn
