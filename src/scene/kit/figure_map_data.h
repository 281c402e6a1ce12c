// What a map of coloured cells is made of: its matrix, its grid, its labels, and the marks on it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/ground/tensor.h"
#include "playground/numbers/stage_range.h"
#include "scene/kit/figure_parts.h"
#include "scene/kit/place.h"

namespace attn {

// The labels of both axes, and the room they take around the cells. Shared by maps that stand side by side.
struct MapAxes {
    double size = kFigureBody;  // of the text
    double row_width = 0;       // of the longest label; longer ones are cut
    double column_width = 0;    //
    bool are_columns_slanted = false;
    int row_step = 1;  // every how many cells a label is drawn
    int column_step = 1;
    double left = 0, top = 0;  // of the labels with their distance to the cells
    double right = 0;          // what slanted labels hang over the last column
};

// How large the cells of one or several maps are. Whole points where neighbours touch.
struct MapGrid {
    int rows = 1, columns = 1;  // of the matrix
    double cell_width = 0, cell_height = 0;
    int group = 1;         // so many rows and columns of cells are drawn as one
    bool has_gaps = true;  // each cell is a rectangle of its own, with a tip

    double width() const { return cell_width * columns; }
    double height() const { return cell_height * rows; }
    double left_of(int column) const { return cell_width * column; }
    double top_of(int row) const { return cell_height * row; }
};

// What stands beside each row.
struct RowNumbers {
    std::string heading;
    std::vector<std::string> numbers;
    std::vector<bool> is_warned;  // as long as numbers
};

// A line above the columns [first, end), in a colour, and one between it and what comes before.
struct ColumnBand {
    int first = 0, end = 0;
    Rgb color;
};

// A matrix with each group of cells as one: the largest of their numbers in absolute value; NaN where one of them is
// none; -inf where all are hidden or blank.
struct ReducedMatrix {
    Matrix values;
    Flags blank;  // a blank among them
};

struct FigureMap {
    // -inf marks a hidden cell. Of size 0 where `reduced` is given, and nothing asks for single numbers.
    Matrix values;
    MapGrid grid = {};
    std::optional<ReducedMatrix> reduced = {};  // where cells are joined; nothing: it is made of the values
    MapAxes axes = {};
    ColorMap map = ColorMap::sequential;
    StageRange range = {};
    std::vector<std::string> row_labels = {}, column_labels = {};
    bool prints_values = true;                      // where they fit
    Flags blank = {};                               // (rows, columns): "?" instead of the number; size 0: none is
    Flags changed = {};                             // likewise: marked
    std::function<std::string(int, int)> tip = {};  // of a cell that is not blank
    std::optional<Place> lit = {};                  // its row and column stand on the lit ground
    std::optional<Place> framed = {};               // with a ring
    Rgb frame_color = {};
    double frame_width = 2.5;
    std::vector<ColumnBand> bands = {};
    std::set<int> select = {};        // rows that stay clear while the others fade; none: all do
    std::vector<Place> targets = {};  // dashed boxes
    Rgb target_color = {};
    std::optional<RowNumbers> row_numbers = {};
};

}  // namespace attn
