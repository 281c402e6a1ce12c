// How large the cells of a map are, and how much room its labels take: arithmetic, before anything is drawn.
#pragma once

#include <string>
#include <vector>

#include "scene/kit/figure_cells.h"

namespace attn {

inline constexpr double kSlant = 55;          // degrees, of slanted labels
inline constexpr double kRowDistance = 8;     // from a row's label to its cells
inline constexpr double kColumnDistance = 6;  // from a column's

// Cells for `num_maps` maps of this size; square, or wide enough for numbers.
MapGrid fit_map(int rows, int columns, int num_maps, bool is_square);

// `may_slant`: labels of columns that are wider than a cell are slanted.
MapAxes measure_axes(const std::vector<std::string>& row_labels, const std::vector<std::string>& column_labels,
                     const MapGrid& grid, bool may_slant);

// "of 2,048 × 2,048 cells, 6 × 6 are drawn as one: the largest in absolute value"; empty where none are.
std::string reduction_in_words(const MapGrid& grid);

// Blocks of one size beside one another and below, about half again as wide as high.
FigureBlock grid_of_blocks(std::vector<FigureBlock> blocks, FigurePoint distance);

}  // namespace attn
