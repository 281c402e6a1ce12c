// A matrix as a table of numbers, four digits each: names of rows and columns around it. Knows no stage. Beyond a
// budget only a piece of it is drawn.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scene/kit/figure_map.h"

namespace attn {

// The rows and columns that are drawn: [first, end) of each.
struct GridPiece {
    int first_row = 0, end_row = 0, first_column = 0, end_column = 0;

    int rows() const { return end_row - first_row; }
    int columns() const { return end_column - first_column; }
};

// Of `rows` x `columns`, for `num_tables` tables of this size: all, or what the budget allows, with `center` as near
// the middle as the ends allow.
GridPiece fit_piece(int rows, int columns, int num_tables, Place center);

// "Rows 0 to 139 of 2,048, columns 0 to 139 of 2,048."; empty for all of them.
std::string piece_in_words(const GridPiece& piece, int rows, int columns);

// One number of the table and how it is drawn.
struct GridCell {
    std::string text;
    bool is_soft = false;     // a hidden or a blank one
    bool is_bold = false;     //
    bool is_marked = false;   // with a dot in the corner: typed over
    bool is_changed = false;  // with the mark of a changed number
    bool is_filled = false;   // on a ground: a hidden key of the mask
    std::string tip;
};

struct FigureGrid {
    GridPiece piece;
    std::function<GridCell(int row, int column)> cell;
    std::function<std::string(int)> row_label, column_label;
    std::optional<Place> lit = {};     // its row and column stand on the lit ground
    std::optional<Place> framed = {};  // with a ring
    Rgb frame_color = {};
    double frame_width = 2.5;
    bool has_upright_lines = false;
    std::set<int> select = {};        // as of FigureMap
    std::vector<Place> targets = {};  // likewise
    Rgb target_color = {};
    std::vector<ColumnBand> column_bands = {}, row_bands = {};  // lines where one head ends and the next begins
    std::optional<RowNumbers> row_numbers = {};                 // of the rows of the piece
};

FigureBlock grid_block(const FigureTask& task, const FigureGrid& grid);

}  // namespace attn
