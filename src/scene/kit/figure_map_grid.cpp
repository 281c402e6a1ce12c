// Cells shrink with the map: first they lose the gaps between them, then several become one.
#include "scene/kit/figure_map_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr double kWidestMapLabel = 110;
constexpr double kLetterPerLine = 1.12;  // em: what a line of letters really needs

double radians(double degrees) {
    return degrees * 3.14159265358979 / 180;
}

double widest(const std::vector<std::string>& labels, double size) {
    double width = 0;
    // Lit labels are bold, so the room is that of bold ones.
    for (const std::string& label : labels) {
        width = std::max(width, text_width(one_line(label), size, FigureFont::sans_bold));
        if (width >= kWidestMapLabel) return kWidestMapLabel;
    }
    return std::ceil(width);
}

}  // namespace

MapGrid fit_map(int rows, int columns, int num_maps, bool is_square) {
    constexpr double kSide = 640;    // of the largest map
    constexpr double kLargest = 26;  // a cell in which numbers are read with ease
    constexpr double kSmallestWithGap = 6;
    constexpr double kLargestJoined = 12;         // where no number is printed
    constexpr double kSmallest = 2;               // of what is drawn
    constexpr std::int64_t kMostSingle = 30000;   // rectangles with tips
    constexpr std::int64_t kMostJoined = 190000;  // cells, before neighbours of one colour are joined
    ATTN_CHECK(rows > 0 && columns > 0 && num_maps > 0, "a map of (", rows, ", ", columns, ")");
    MapGrid grid{.rows = rows, .columns = columns};
    const double widest = is_square ? kLargest : kLargest * 1.4;
    grid.cell_height = std::min(kLargest, kSide / rows);
    grid.cell_width = std::min(widest, (is_square ? 1 : 1.5) * kSide / columns);
    if (is_square) grid.cell_width = grid.cell_height = std::min(grid.cell_width, grid.cell_height);
    const std::int64_t num_cells = static_cast<std::int64_t>(rows) * columns * num_maps;
    grid.has_gaps = num_cells <= kMostSingle && std::min(grid.cell_width, grid.cell_height) >= kSmallestWithGap;
    if (grid.has_gaps) {
        grid.cell_width = std::floor(grid.cell_width);
        grid.cell_height = std::floor(grid.cell_height);
        return grid;
    }
    grid.cell_width = std::min(grid.cell_width, kLargestJoined);
    grid.cell_height = std::min(grid.cell_height, kLargestJoined);
    const auto num_drawn = [&] {
        const std::int64_t down = (rows + grid.group - 1) / grid.group;
        return down * ((columns + grid.group - 1) / grid.group) * num_maps;
    };
    while (num_drawn() > kMostJoined) ++grid.group;
    const auto whole = [&](double cell) { return std::max(kSmallest, std::floor(cell * grid.group)) / grid.group; };
    grid.cell_width = whole(grid.cell_width);
    grid.cell_height = whole(grid.cell_height);
    return grid;
}

MapAxes measure_axes(const std::vector<std::string>& row_labels, const std::vector<std::string>& column_labels,
                     const MapGrid& grid, bool may_slant) {
    constexpr double kLevel = 0.9;  // of a cell: wider labels are slanted
    MapAxes axes;
    axes.size = grid.cell_height >= 14 ? kFigureBody : grid.cell_height >= 11 ? 10 : 9;
    axes.row_width = widest(row_labels, axes.size);
    axes.column_width = widest(column_labels, axes.size);
    const double line = axes.size * kLetterPerLine;
    // Narrow labels, such as single characters, are easier to read upright.
    axes.are_columns_slanted =
        may_slant &&
        axes.column_width > std::max(axes.size * 1.1, grid.cell_width < line ? 0 : kLevel * grid.cell_width);
    axes.row_step = label_step(line, grid.cell_height);
    axes.column_step = label_step(axes.are_columns_slanted ? line : axes.column_width + 3, grid.cell_width);
    axes.left = axes.row_width + (axes.row_width > 0 ? kRowDistance : 0);
    if (axes.are_columns_slanted) {
        axes.top = std::ceil(axes.column_width * std::sin(radians(kSlant)) + axes.size * 0.5 + kColumnDistance);
        const double over = axes.column_width * std::cos(radians(kSlant)) + axes.size * 0.3;
        axes.right = std::ceil(std::max(0.0, over - grid.cell_width / 2));
    } else if (!column_labels.empty()) {
        axes.top = std::ceil(axes.size + kColumnDistance);
    }
    return axes;
}

std::string reduction_in_words(const MapGrid& grid) {
    if (grid.group == 1) return "";
    return concat("Of ", with_thousands(grid.rows), " × ", with_thousands(grid.columns), " cells, ", grid.group, " × ",
                  grid.group, " are drawn as one: the largest of them in absolute value.");
}

FigureBlock grid_of_blocks(std::vector<FigureBlock> blocks, FigurePoint distance) {
    constexpr double kShape = 1.5;  // width by height
    ATTN_CHECK(!blocks.empty(), "a grid of nothing");
    double width = 0;
    double height = 0;
    for (const FigureBlock& block : blocks) {
        width = std::max(width, block.width);
        height = std::max(height, block.height);
    }
    const auto count = static_cast<int>(blocks.size());
    int per_row = 1;
    double best = std::numeric_limits<double>::infinity();
    for (int beside = 1; beside <= count; ++beside) {
        const int rows = (count + beside - 1) / beside;
        const double shape = beside * (width + distance.x) / (rows * (height + distance.y));
        const double waste = static_cast<double>(rows * beside - count) / count;
        const double badness = std::abs(std::log(shape / kShape)) + waste;
        if (badness >= best) continue;
        best = badness;
        per_row = beside;
    }
    FigureBlock grid;
    for (int k = 0; k < count; ++k) {
        place_block(grid, std::move(blocks[static_cast<std::size_t>(k)]),
                    {k % per_row * (width + distance.x), k / per_row * (height + distance.y)});
    }
    return grid;
}

}  // namespace attn
