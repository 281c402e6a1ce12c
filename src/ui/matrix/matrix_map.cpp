// The parts of a map, from its colours up.
#include "ui/matrix/matrix_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "playground/text/format.h"
#include "ui/kit/heads_text.h"
#include "ui/kit/heatmap_callback.h"
#include "ui/kit/widgets.h"
#include "ui/matrix/heads_axes.h"

namespace attn {
namespace {

constexpr float kLabelDistance = 8;
constexpr float kSmallLabelSize = 13;    // in cells that are lower than a label
constexpr float kLetterPerLine = 0.87F;  // of a line's height, what letters really need
constexpr float kSmallestPrinted = 19;   // points: a smaller cell has no room for two legible digits

float pixels_a_point() {
    return ImGui::GetIO().DisplayFramebufferScale.x;
}

struct Lines {
    int first, last;  // one past the last
};

// The rows (or columns) from `corner` on that lie between `from` and `to`.
Lines seen(float corner, float cell, int count, float from, float to) {
    const int first = static_cast<int>(std::floor((from - corner) / cell));
    const int last = static_cast<int>(std::ceil((to - corner) / cell));
    return {std::clamp(first, 0, count), std::clamp(last, 0, count)};
}

void draw_colors(const Canvas& canvas, const MatrixMap& map) {
    if (canvas.heatmaps == nullptr) return;
    if (!canvas.heatmaps->holds(map.slot, map.version)) {
        canvas.heatmaps->set_matrix(map.slot, map.version, map.values);
    }
    put_heatmap(*canvas.heatmaps, map.slot, map.corner, {map.corner.x + map.size.x, map.corner.y + map.size.y},
                heatmap_style(canvas.palette, map.range.map, map.range.low, map.range.high, pixels_a_point()));
}

void draw_bands(const Look& look, const MatrixMap& map) {
    if (!map.lit) return;
    const ImVec2 min = map.cell_min(map.lit->row, map.lit->column);
    const ImVec2 max = map.cell_max(map.lit->row, map.lit->column);
    const ImU32 lit = look.palette.lit;
    fill_box({map.corner.x - map.left, min.y}, {map.corner.x + map.size.x, max.y}, lit, 3);
    fill_box({min.x, map.corner.y - map.top}, {max.x, map.corner.y + map.size.y}, lit, 3);
}

void draw_head_bands(const MatrixMap& map, Lines columns) {
    if (!map.band) return;
    constexpr float kThickness = 3;
    const float pixel = 1 / pixels_a_point();
    for (int c = columns.first; c < columns.last; ++c) {
        const ImVec2 min = map.cell_min(0, c);
        const float right = map.cell_max(0, c).x;
        window_list().AddRectFilled({min.x, min.y - kThickness - pixel}, {right, min.y - pixel}, map.band(c));
    }
}

void draw_labels(const Display& display, const MatrixMap& map, Lines rows, Lines columns) {
    const ImVec2 cell = map.cell();
    const float label_size = cell.y < kMapLabelSize * kLetterPerLine ? kSmallLabelSize : kMapLabelSize;
    const float line = label_size * kLetterPerLine;
    const float scale = pixels_a_point();
    const auto style = [&](bool is_lit) {
        return TextStyle{is_lit ? display.fonts.sans_bold : display.fonts.sans, label_size, display.palette.ink};
    };
    const int row_step = std::max(1, static_cast<int>(std::ceil(line / cell.y)));
    for (int row = rows.first; map.row_label && row < rows.last; ++row) {
        const bool is_lit = map.lit && map.lit->row == row;
        const bool is_pushed_aside = map.lit && !is_lit && std::abs(row - map.lit->row) < row_step;
        if ((row % row_step != 0 || is_pushed_aside) && !is_lit) continue;
        const ImVec2 min = {map.corner.x - map.left, map.cell_min(row, 0).y};
        draw_level(style(is_lit), min, {map.corner.x - kLabelDistance, map.cell_max(row, 0).y}, {1, 0.5F}, scale,
                   shortened(style(true), map.row_label(row), map.left - kLabelDistance));
    }
    const bool is_slanted = map.top > 2 * kMapLabelSize;
    const float width = is_slanted ? line : label_width(display, map.num_columns(), map.column_label, map.top * 2) + 4;
    const int column_step = std::max(1, static_cast<int>(std::ceil(width / cell.x)));
    for (int column = columns.first; map.column_label && column < columns.last; ++column) {
        const bool is_lit = map.lit && map.lit->column == column;
        const bool is_pushed_aside = map.lit && !is_lit && std::abs(column - map.lit->column) < column_step;
        if ((column % column_step != 0 || is_pushed_aside) && !is_lit) continue;
        const float left = map.cell_min(0, column).x;
        const float right = map.cell_max(0, column).x;
        if (is_slanted) {
            const float room = (map.top - kMapLabelSize / 2 - kLabelDistance) / std::sin(kSlant);
            draw_turned(style(is_lit), {(left + right) / 2, map.corner.y - 6}, kSlant,
                        shortened(style(true), map.column_label(column), room));
        } else {
            draw_level(style(is_lit), {left, map.corner.y - map.top}, {right, map.corner.y - 4}, {0.5F, 1}, scale,
                       map.column_label(column));
        }
    }
}

void draw_numbers(const UiFrame& frame, const MatrixMap& map, Lines rows, Lines columns) {
    const ImVec2 cell = map.cell();
    if (!map.shows_values || cell.x < kSmallestPrinted || cell.y < kSmallestPrinted) return;
    const bool is_signed = map.range.map == ColorMap::diverging;
    const float size = cell_number_size(cell, usual_number_width(is_signed, map.range.high));
    for (int row = rows.first; row < rows.last; ++row) {
        for (int column = columns.first; column < columns.last; ++column) {
            const float value = map.values(row, column);
            if (value == -std::numeric_limits<float>::infinity()) continue;  // the hatching says it
            const Rgb ground =
                map_color(map.range.map, frame.palette.is_dark, map_position(value, map.range.low, map.range.high));
            const ImU32 ink = std::isnan(value) ? frame.palette.ink : to_imgui(ink_on(ground));
            const bool is_blank = map.blank.size() > 0 && map.blank(row, column) != 0;
            draw_in_cell({frame.fonts.sans, size, ink}, map.cell_min(row, column), map.cell_max(row, column),
                         pixels_a_point(),
                         is_blank ? "?"
                                  : number_in_cell(frame.fonts.sans, static_cast<double>(value), map.range.high,
                                                   cell.x - kBetweenNumbers));
        }
    }
}

void frame_place(const Look& look, const MatrixMap& map, const Place& place, float thickness) {
    constexpr float kSmallest = 7;  // however small the cell is
    ImVec2 min = map.cell_min(place.row, place.column);
    ImVec2 max = map.cell_max(place.row, place.column);
    const ImVec2 extra = {std::max(0.0F, (kSmallest - (max.x - min.x)) / 2),
                          std::max(0.0F, (kSmallest - (max.y - min.y)) / 2)};
    min = {min.x - extra.x, min.y - extra.y};
    max = {max.x + extra.x, max.y + extra.y};
    window_list().AddRect({min.x + 1.5F, min.y + 1.5F}, {max.x - 1.5F, max.y - 1.5F}, look.palette.paper, 3, 0, 1);
    window_list().AddRect(min, max, look.palette.ink, 4, 0, thickness);
}

}  // namespace

ColorRange diverging_range(float largest) {
    const float high = largest > 0 ? largest : 1;
    return {.map = ColorMap::diverging, .low = -high, .high = high};
}

float largest_number(const Matrix& values) {
    float largest = 0;
    for (const float value : elements(values)) {
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
    return largest;
}

ImVec2 MatrixMap::cell_min(int row, int column) const {
    return {corner.x + static_cast<float>(column) * size.x / static_cast<float>(num_columns()),
            corner.y + static_cast<float>(row) * size.y / static_cast<float>(num_rows())};
}

std::optional<Place> MatrixMap::place_at(ImVec2 point) const {
    const float x = (point.x - corner.x) / size.x;
    const float y = (point.y - corner.y) / size.y;
    if (x < 0 || x >= 1 || y < 0 || y >= 1) return std::nullopt;
    return Place{.row = std::min(static_cast<int>(y * static_cast<float>(num_rows())), num_rows() - 1),
                 .column = std::min(static_cast<int>(x * static_cast<float>(num_columns())), num_columns() - 1)};
}

std::uint64_t own_version(std::uint64_t count) {
    return std::uint64_t{1} << 63U | count;
}

void draw_matrix_map(const UiFrame& frame, const MatrixMap& map) {
    const ImVec2 cell = map.cell();
    const ImVec2 from = window_list().GetClipRectMin();
    const ImVec2 to = window_list().GetClipRectMax();
    if (map.corner.y - map.top > to.y || map.corner.y + map.size.y < from.y) return;
    const Lines rows = seen(map.corner.y, cell.y, map.num_rows(), from.y, to.y);
    const Lines columns = seen(map.corner.x, cell.x, map.num_columns(), from.x - map.top, to.x);
    draw_bands(frame, map);
    draw_colors(frame, map);
    draw_head_bands(map, columns);
    draw_labels(frame, map, rows, columns);
    draw_numbers(frame, map, rows, columns);
    if (map.lit && map.lit != map.pinned) frame_place(frame, map, *map.lit, 1.5F);
    if (map.pinned) frame_place(frame, map, *map.pinned, 2.5F);
}

float label_width(const Display& display, int count, const std::function<std::string(int)>& label, float limit) {
    constexpr int kMeasured = 256;  // labels are measured at most
    if (!label) return 0;
    const TextStyle style = {display.fonts.sans_bold, kMapLabelSize, display.palette.ink};
    float width = 0;
    for (int k = 0; k < count && width < limit; k += std::max(1, count / kMeasured)) {
        width = std::max(width, text_size(style, label(k)).x);
    }
    return std::min(std::ceil(width), limit);
}

ImVec2 on_pixel(ImVec2 point) {
    const float scale = pixels_a_point();
    return {std::round(point.x * scale) / scale, std::round(point.y * scale) / scale};
}

}  // namespace attn
