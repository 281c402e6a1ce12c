// One matrix as a map of coloured cells, with everything that may stand on it and beside it. Knows no stage and no
// view. Small maps have a rectangle with a tip for each cell; large ones join neighbours of one colour, and beyond a
// budget several cells become one, which has the largest of their numbers in absolute value, as on the screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/kit/figure_cells.h"

namespace attn {

// Cells for `num_maps` maps of this size; square, or wide enough for numbers.
MapGrid fit_map(int rows, int columns, int num_maps, bool is_square);

// `may_slant`: labels of columns that are wider than a cell are slanted.
MapAxes measure_axes(const std::vector<std::string>& row_labels, const std::vector<std::string>& column_labels,
                     const MapGrid& grid, bool may_slant);

// Width of the numbers beside the rows, with their distance; 0 for none.
double row_numbers_width(const std::optional<RowNumbers>& numbers);

// The map with its labels; its cells begin at (axes.left, axes.top).
FigureBlock map_block(const FigureTask& task, const FigureMap& map);

// "of 2,048 × 2,048 cells, 6 × 6 are drawn as one: the largest in absolute value"; empty where none are.
std::string reduction_in_words(const MapGrid& grid);

// Blocks of one size beside one another and below, about half again as wide as high.
FigureBlock grid_of_blocks(std::vector<FigureBlock> blocks, FigurePoint distance);

}  // namespace attn
