// Draws the cells of a map: colours, hatching, numbers, marks; where there are too many, joined cells.
#pragma once

#include <string_view>

#include "scene/kit/figure_map_data.h"

namespace attn {

inline constexpr std::string_view kNotOne = " ≠ 1";  // behind a sum of a row that should be 1

// Of `grid`, before any row is put into it.
ReducedMatrix empty_reduction(const MapGrid& grid);

// Puts in rows of the matrix, of which the first is row `first`. `blank` is as large as they are, or of size 0.
void reduce_rows(const MapGrid& grid, const Matrix& rows, const Flags& blank, int first, ReducedMatrix& reduced);

void draw_cells(FigureBlock& block, const FigureTask& task, const FigureMap& map);
void draw_cell_numbers(FigureBlock& block, const FigureTask& task, const FigureMap& map);
void draw_change_marks(FigureBlock& block, const FigureTask& task, const FigureMap& map);

}  // namespace attn
