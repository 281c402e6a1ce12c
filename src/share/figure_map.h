// One matrix as a map of coloured cells, with everything that may stand on it and beside it. Knows no stage and no
// view. Small maps have a rectangle with a tip for each cell; large ones join neighbours of one colour, and beyond a
// budget several cells become one, which has the largest of their numbers in absolute value, as on the screen.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "playground/state.h"
#include "share/figure_parts.h"

namespace attn {

struct FigurePlace {
    int row = 0;
    int column = 0;

    bool operator==(const FigurePlace&) const = default;
};

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

// Cells for `num_maps` maps of this size; square, or as wide as numbers like.
MapGrid fit_map(int rows, int columns, int num_maps, bool is_square);

// `may_slant`: labels of columns that are wider than a cell are slanted.
MapAxes measure_axes(const std::vector<std::string>& row_labels, const std::vector<std::string>& column_labels,
                     const MapGrid& grid, bool may_slant);

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

// Of `grid`, before any row is put into it.
ReducedMatrix empty_reduction(const MapGrid& grid);

// Puts in rows of the matrix, of which the first is row `first`. `blank` is as large as they are, or of size 0.
void reduce_rows(const MapGrid& grid, const Matrix& rows, const Flags& blank, int first, ReducedMatrix& reduced);

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
    std::optional<FigurePlace> lit = {};            // its row and column stand on the lit ground
    std::optional<FigurePlace> framed = {};         // with a ring
    Rgb frame_color = {};
    double frame_width = 2.5;
    std::vector<ColumnBand> bands = {};
    std::set<int> select = {};             // rows that stay clear while the others fade; none: all do
    std::vector<FigurePlace> wishes = {};  // dashed boxes
    std::optional<RowNumbers> row_numbers = {};
};

// Width of the numbers beside the rows, with their distance; 0 for none.
double row_numbers_width(const std::optional<RowNumbers>& numbers);

// The map with its labels; its cells begin at (axes.left, axes.top).
FigureBlock map_block(const FigureTask& task, const FigureMap& map);

// "of 2,048 × 2,048 cells, 6 × 6 are drawn as one: the largest in absolute value"; empty where none are.
std::string reduction_in_words(const MapGrid& grid);

// Blocks of one size beside one another and below, about half again as wide as high.
FigureBlock grid_of_blocks(std::vector<FigureBlock> blocks, FigurePoint distance);

}  // namespace attn
