// Numbers in the cells: two digits on a colour, four in a table.
#pragma once

#include <imgui.h>

#include "ui/matrix/heads_picture.h"

namespace attn {

inline constexpr float kCellIndent = 8;  // of a table: from a number to the edge of its cell

// Cells from (first_row, first_column) to one past the last.
struct CellRange {
    int first_row, last_row, first_column, last_column;
};

// Draws the numbers of the map whose cells begin at `corner`, if they fit.
void draw_values(const HeadsPicture& picture, int head, ImVec2 corner, const CellRange& cells);

// The side of the smallest cell in which the stage's numbers are legible.
float smallest_printed_cell(const ShownStage& stage);

// The size of a cell in which the table's numbers fit. Looks at a sample of the stage's numbers once a version.
ImVec2 table_cell(const Display& display, const ShownStage& stage);

}  // namespace attn
