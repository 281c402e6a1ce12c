// The labels of the maps' rows and columns: tokens or channel numbers, slanted if they do not fit side by side.
#pragma once

#include <imgui.h>

#include <string>

#include "ui/kit/text.h"
#include "views/stage/shown_stage.h"

namespace attn {

// The slant of column labels, radians: steep enough for narrow columns, flat enough to read.
inline constexpr float kSlant = 55 * 3.14159265F / 180;

// How the labels of one axis are drawn.
struct AxisLabels {
    float text_size = 0;
    float width = 0;          // of the longest one; longer ones are cut
    bool is_slanted = false;  // columns only
    int step = 1;             // cells from one label to the next: more than 1 if cells are lower than a line
};

// Both axes, and the room they take around the cells.
struct Axes {
    AxisLabels rows, columns;
    float left = 0;   // width of the rows' labels with their distance to the cells
    float top = 0;    // height of the columns' labels
    float right = 0;  // the width that slanted labels reach beyond the last column
};

// The labels at one of a few text sizes: 0 is the largest. `step` follows from the cell, once it is known.
inline constexpr int kNumAxisSizes = 3;
Axes measure_axes(const Look& look, const ShownStage& stage, int size_index);

// The labels of a table of numbers, whose columns are `column_width` wide: none is slanted.
Axes measure_table_axes(const Look& look, const ShownStage& stage, float column_width);

// Whether a line of these labels fits each cell.
bool fits_cells(const Axes& axes, ImVec2 cell);

// Sets the steps for cells of this size.
void choose_steps(Axes& axes, ImVec2 cell);

// The label of a row or column, cut to the axis's width.
std::string row_label(const Look& look, const ShownStage& stage, const AxisLabels& labels, int row);
std::string column_label(const Look& look, const ShownStage& stage, const AxisLabels& labels, int column);

}  // namespace attn
