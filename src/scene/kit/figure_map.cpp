// Draws the labels, lit rows and columns, marks and frames of a map; figure_cells.cpp draws the cells.
#include "scene/kit/figure_map.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/notes.h"
#include "scene/kit/figure_cells.h"

namespace attn {
namespace {

constexpr double kStatDistance = 14;

// Below the cells; seen through the gaps between them and beside the labels.
void draw_bands(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    if (!map.lit) return;
    const MapGrid& grid = map.grid;
    const MapAxes& axes = map.axes;
    draw_rect(block, {0, axes.top + grid.top_of(map.lit->row)}, axes.left + grid.width(), grid.cell_height,
              task.colors.lit, std::min(3.0, grid.cell_height / 2));
    draw_rect(block, {axes.left + grid.left_of(map.lit->column), 0}, grid.cell_width, axes.top + grid.height(),
              task.colors.lit, std::min(3.0, grid.cell_width / 2));
}

// Where cells have no gaps to see the bands through: lines along the lit row and column.
void draw_cross_hair(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    if (!map.lit || map.grid.has_gaps) return;
    const MapGrid& grid = map.grid;
    const double left = map.axes.left;
    const double top = map.axes.top;
    const double x = left + grid.left_of(map.lit->column) + grid.cell_width / 2;
    const double y = top + grid.top_of(map.lit->row) + grid.cell_height / 2;
    const bool is_wide = grid.cell_height >= 4;
    for (const double side : {-0.5, 0.5}) {
        if (side < 0 && !is_wide) continue;
        const double down = is_wide ? side * grid.cell_height : 0;
        const double across = is_wide ? side * grid.cell_width : 0;
        draw_line(block, {left, y + down}, {left + grid.width(), y + down}, task.colors.soft_ink, 0.75);
        draw_line(block, {x + across, top}, {x + across, top + grid.height()}, task.colors.soft_ink, 0.75);
    }
}

// Whether label k is drawn: every step-th, and the lit one, which pushes its neighbours aside.
bool has_label(int k, int step, std::optional<int> lit) {
    if (lit && k != *lit && std::abs(k - *lit) < step) return false;
    return k % step == 0 || k == lit;
}

TextLook label_look(const FigureTask& task, const FigureMap& map, bool is_lit) {
    return {.ink = task.colors.ink, .size = map.axes.size, .font = is_lit ? FigureFont::sans_bold : FigureFont::sans};
}

std::string label_text(const std::string& label, double width, const TextLook& look) {
    return shortened_text(one_line(label), width, look.size, look.font);
}

void draw_labels(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    const MapGrid& grid = map.grid;
    const MapAxes& axes = map.axes;
    const auto lit = [&](bool is_row) {
        return map.lit ? std::optional(is_row ? map.lit->row : map.lit->column) : std::nullopt;
    };
    for (int row = 0; row < grid.rows && row < static_cast<int>(map.row_labels.size()); ++row) {
        if (!has_label(row, axes.row_step, lit(true))) continue;
        TextLook look = label_look(task, map, lit(true) == row);
        look.anchor = FigureAnchor::end;
        draw_text_at_middle(block, axes.left - kRowDistance, axes.top + grid.top_of(row) + grid.cell_height / 2,
                            label_text(map.row_labels[static_cast<std::size_t>(row)], axes.row_width, look), look);
    }
    for (int column = 0; column < grid.columns && column < static_cast<int>(map.column_labels.size()); ++column) {
        if (!has_label(column, axes.column_step, lit(false))) continue;
        TextLook look = label_look(task, map, lit(false) == column);
        const std::string text =
            label_text(map.column_labels[static_cast<std::size_t>(column)], axes.column_width, look);
        const double middle = axes.left + grid.left_of(column) + grid.cell_width / 2;
        if (axes.are_columns_slanted) {
            draw_turned_text(block, {middle, axes.top - kColumnDistance}, -kSlant, text, look);
        } else {
            look.anchor = FigureAnchor::middle;
            draw_text(block, {middle, axes.top - kColumnDistance}, text, look);
        }
    }
}

void draw_column_bands(FigureBlock& block, const FigureMap& map) {
    const double top = map.axes.top;
    for (const ColumnBand& band : map.bands) {
        const double left = map.axes.left + map.grid.left_of(band.first);
        const double width = map.grid.left_of(band.end) - map.grid.left_of(band.first);
        draw_rect(block, {left, top - 4}, std::max(width - 1, 0.5), 3, band.color);
        if (band.first > 0) {
            draw_line(block, {left - 0.5, top}, {left - 0.5, top + map.grid.height()}, band.color, 1);
        }
    }
}

void draw_veil(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    if (map.select.empty()) return;
    constexpr double kShare = 0.68;  // what is under it can still be made out
    const auto put = [&](int first, int end) {
        if (first >= end) return;
        FigureRect veil{.at = {map.axes.left, map.axes.top + map.grid.top_of(first)},
                        .width = map.grid.width(),
                        .height = map.grid.top_of(end) - map.grid.top_of(first)};
        veil.look.fill = task.colors.paper;
        veil.look.opacity = kShare;
        block.elements.emplace_back(std::move(veil));
    };
    int next = 0;
    for (const int row : map.select) {
        if (row >= map.grid.rows) break;
        put(next, row);
        next = row + 1;
    }
    put(next, map.grid.rows);
}

struct CellBox {
    FigurePoint at;
    double width, height;
};

// The cell, or at least a box of `smallest` around its middle.
CellBox box_of(const FigureMap& map, Place place, double smallest) {
    const double width = std::max(map.grid.cell_width, smallest);
    const double height = std::max(map.grid.cell_height, smallest);
    return {{map.axes.left + map.grid.left_of(place.column) + (map.grid.cell_width - width) / 2,
             map.axes.top + map.grid.top_of(place.row) + (map.grid.cell_height - height) / 2},
            width,
            height};
}

void draw_targets(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    for (const Place& target : map.targets) {
        if (target.row >= map.grid.rows || target.column >= map.grid.columns) continue;
        const CellBox box = box_of(map, target, 9);
        // On paper, so that the dashes are seen on dark cells too.
        draw_frame(block, box.at, box.width, box.height, task.colors.paper, 3, 4);
        const bool is_small = box.width < 14;
        draw_frame(block, box.at, box.width, box.height, map.target_color, is_small ? 1.5 : 2, is_small ? 2 : 4,
                   is_small ? std::vector<double>{2.5, 2} : std::vector<double>{5, 4});
    }
}

void draw_row_numbers(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    if (!map.row_numbers) return;
    const RowNumbers& numbers = *map.row_numbers;
    TextLook look = {.ink = task.colors.soft_ink, .size = kFigureSmall, .anchor = FigureAnchor::end};
    const bool has_warnings =
        std::any_of(numbers.is_warned.begin(), numbers.is_warned.end(), [](bool is_warned) { return is_warned; });
    const double end = map.axes.left + map.grid.width() + row_numbers_width(map.row_numbers);
    const double right = has_warnings ? end - text_width(kNotOne, look.size, FigureFont::sans_bold) : end;
    draw_text(block, {right, map.axes.top - 4}, numbers.heading, look);
    for (int row = 0; row < static_cast<int>(numbers.numbers.size()); ++row) {
        const auto index = static_cast<std::size_t>(row);
        const bool is_lit = map.lit && map.lit->row == row;
        const double middle = map.axes.top + map.grid.top_of(row) + map.grid.cell_height / 2;
        look.ink = numbers.is_warned[index] ? task.colors.warning : task.colors.ink;
        look.font = is_lit ? FigureFont::sans_bold : FigureFont::sans;
        draw_text_at_middle(block, right, middle, numbers.numbers[index], look);
        if (!numbers.is_warned[index]) continue;
        draw_text_at_middle(block, right, middle, kNotOne, {.ink = look.ink, .size = look.size});
    }
}

void draw_ring(FigureBlock& block, const FigureTask& task, const FigureMap& map) {
    if (!map.framed) return;
    const CellBox box = box_of(map, *map.framed, 7);
    const double in = map.frame_width / 4 + 1;
    const double out = map.frame_width / 4;
    // A thin line of paper inside, for frames of nearly the cell's own colour.
    draw_frame(block, {box.at.x + in, box.at.y + in}, box.width - 2 * in, box.height - 2 * in, task.colors.paper, 1, 3);
    draw_frame(block, {box.at.x - out, box.at.y - out}, box.width + 2 * out, box.height + 2 * out, map.frame_color,
               map.frame_width, 4);
}

}  // namespace

double row_numbers_width(const std::optional<RowNumbers>& numbers) {
    if (!numbers) return 0;
    double width = text_width(numbers->heading, kFigureSmall);
    bool has_warnings = false;
    for (std::size_t k = 0; k < numbers->numbers.size(); ++k) {
        width = std::max(width, text_width(numbers->numbers[k], kFigureSmall, FigureFont::sans_bold));
        has_warnings = has_warnings || numbers->is_warned[k];
    }
    if (has_warnings) width += text_width(kNotOne, kFigureSmall, FigureFont::sans_bold);
    return kStatDistance + std::ceil(width);
}

FigureBlock map_block(const FigureTask& task, const FigureMap& map) {
    FigureBlock block;
    block.width = map.axes.left + map.grid.width() + std::max(map.axes.right, row_numbers_width(map.row_numbers));
    block.height = map.axes.top + map.grid.height();
    draw_bands(block, task, map);
    draw_cells(block, task, map);
    draw_cross_hair(block, task, map);
    draw_column_bands(block, map);
    draw_labels(block, task, map);
    draw_cell_numbers(block, task, map);
    draw_veil(block, task, map);
    draw_targets(block, task, map);
    draw_row_numbers(block, task, map);
    draw_change_marks(block, task, map);
    draw_ring(block, task, map);
    return block;
}

}  // namespace attn
