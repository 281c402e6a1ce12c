// One map: the bands of the lit row and column, the cells, their labels and frames. Numbers in the cells are in
// heads_values.cpp.
#include <imgui_internal.h>  // vector arithmetic of clip rectangles

#include <algorithm>
#include <cmath>

#include "ui/frame/pins.h"
#include "ui/kit/heads_text.h"
#include "ui/kit/heatmap_callback.h"
#include "ui/kit/widgets.h"
#include "ui/matrix/change_marks.h"
#include "ui/matrix/heads_marks.h"
#include "ui/matrix/heads_picture.h"
#include "ui/matrix/heads_stats.h"
#include "ui/matrix/heads_values.h"

namespace attn {
namespace {

constexpr float kRowLabelDistance = 8;
constexpr float kColumnLabelDistance = 6;
constexpr float kBandRounding = 4;

struct Lines {
    int first, last;  // one past the last
};

// The rows (or columns) of a map that begins at `corner` with the line `begin` which lie between `from` and `to`, if
// they are before `end`.
Lines seen(float corner, float cell, int begin, int end, float from, float to) {
    const int first = begin + static_cast<int>(std::floor((from - corner) / cell));
    const int last = begin + static_cast<int>(std::ceil((to - corner) / cell));
    return {std::clamp(first, begin, end), std::clamp(last, begin, end)};
}

std::optional<int> if_between(std::optional<int> line, int first, int last) {
    return line && *line >= first && *line <= last ? line : std::nullopt;
}

std::optional<int> lit_row(const HeadsPicture& picture) {
    const std::optional<int> row = picture.lit() ? picture.lit()->row : picture.lit_token;
    return if_between(row, picture.window.first_row, picture.window.last_row);
}

std::optional<int> lit_column(const HeadsPicture& picture) {
    const std::optional<int> token = picture.stage.has_keys() ? picture.lit_token : std::nullopt;
    const std::optional<int> column = picture.lit() ? picture.lit()->column : token;
    return if_between(column, picture.window.first_column, picture.window.last_column);
}

// Below the cells; seen through the gaps between them and beside the labels.
void draw_bands(const HeadsPicture& picture, ImVec2 corner) {
    const ImU32 lit = picture.frame.palette.lit;
    const HeadsGrid& grid = picture.grid;
    if (const auto row = lit_row(picture)) {
        const ImVec2 min = picture.cell_min(corner, *row, 0);
        const ImVec2 max = picture.cell_max(corner, *row, 0);
        window_list().AddRectFilled({corner.x - picture.axes.left, min.y}, {corner.x + grid.map.x, max.y}, lit,
                                    kBandRounding, ImDrawFlags_RoundCornersLeft);
    }
    if (const auto column = lit_column(picture)) {
        const ImVec2 min = picture.cell_min(corner, 0, *column);
        const ImVec2 max = picture.cell_max(corner, 0, *column);
        window_list().AddRectFilled({min.x, corner.y - picture.axes.top}, {max.x, corner.y + grid.map.y}, lit,
                                    kBandRounding, ImDrawFlags_RoundCornersTop);
    }
}

// Without gaps between cells the bands would not show: draws lines along the edges of the lit row and column, or one
// line in the middle if two would be too close.
void draw_cross_hair(const HeadsPicture& picture, ImVec2 corner) {
    const ImVec2 cell = picture.grid.cell;
    if (picture.is_table || std::min(cell.x, cell.y) >= HeatmapRenderer::kSmallestCellWithGap) return;
    const ImU32 color = mix(picture.frame.palette.ink, picture.frame.palette.paper, 0.45F);
    const float pixel = 1 / picture.scale;
    const float narrow = 4 * pixel;
    const auto on_pixel = [&](float point) { return std::round(point * picture.scale) / picture.scale; };
    const auto across = [&](float y) {
        window_list().AddRectFilled({corner.x, y}, {corner.x + picture.grid.map.x, y + pixel}, color);
    };
    const auto down = [&](float x) {
        window_list().AddRectFilled({x, corner.y}, {x + pixel, corner.y + picture.grid.map.y}, color);
    };
    if (const auto row = lit_row(picture)) {
        const float top = on_pixel(picture.cell_min(corner, *row, 0).y);
        if (cell.y >= narrow) across(top - pixel);
        across(cell.y >= narrow ? on_pixel(top + cell.y) : on_pixel(top + (cell.y - pixel) / 2));
    }
    if (const auto column = lit_column(picture)) {
        const float left = on_pixel(picture.cell_min(corner, 0, *column).x);
        if (cell.x >= narrow) down(left - pixel);
        down(cell.x >= narrow ? on_pixel(left + cell.x) : on_pixel(left + (cell.x - pixel) / 2));
    }
}

// Whether label k is drawn: every step-th, and the lit one, which pushes its neighbours aside.
bool has_label(int k, const AxisLabels& labels, std::optional<int> lit, int count) {
    if (lit && *lit < count && k != *lit && std::abs(k - *lit) < labels.step) return false;
    return k % labels.step == 0 || k == lit;
}

TextStyle label_style(const HeadsPicture& picture, const AxisLabels& labels, bool is_lit) {
    const Fonts& fonts = picture.frame.fonts;
    return {is_lit ? fonts.sans_bold : fonts.sans, labels.text_size, picture.frame.palette.ink};
}

// The rows' labels; those of a table stay in sight when it is scrolled sideways.
void draw_row_labels(const HeadsPicture& picture, ImVec2 corner, Lines rows) {
    const AxisLabels& labels = picture.axes.rows;
    const std::optional<int> lit = lit_row(picture);
    if (const float shift = picture.label_shift(corner); shift > 0) {
        corner.x += shift;
        const ImVec2 min = {corner.x - picture.axes.left, corner.y - picture.axes.top};
        window_list().AddRectFilled(min, {corner.x, corner.y + picture.grid.map.y}, picture.frame.palette.paper);
        if (lit) {
            window_list().AddRectFilled({min.x, picture.cell_min(corner, *lit, 0).y},
                                        {corner.x, picture.cell_max(corner, *lit, 0).y}, picture.frame.palette.lit);
        }
    }
    for (int row = rows.first; row < rows.last; ++row) {
        if (!has_label(row, labels, lit, picture.stage.rows)) continue;
        const TextStyle style = label_style(picture, labels, row == lit);
        const ImVec2 min = {corner.x - picture.axes.left, picture.cell_min(corner, row, 0).y};
        const ImVec2 max = {corner.x - kRowLabelDistance, picture.cell_max(corner, row, 0).y};
        draw_level(style, min, max, {1, 0.5F}, picture.scale, row_label(picture.frame, picture.stage, labels, row));
    }
}

void draw_column_labels(const HeadsPicture& picture, ImVec2 corner, Lines columns) {
    const AxisLabels& labels = picture.axes.columns;
    const std::optional<int> lit = lit_column(picture);
    for (int column = columns.first; column < columns.last; ++column) {
        if (!has_label(column, labels, lit, picture.stage.columns)) continue;
        const TextStyle style = label_style(picture, labels, column == lit);
        const std::string text = column_label(picture.frame, picture.stage, labels, column);
        const float left = picture.cell_min(corner, 0, column).x;
        const float right = picture.cell_max(corner, 0, column).x;
        if (labels.is_slanted) {
            draw_turned(style, {(left + right) / 2, corner.y - kColumnLabelDistance}, kSlant, text);
        } else {
            const float indent = picture.is_table ? kCellIndent : 0;
            draw_level(style, {left, corner.y - picture.axes.top},
                       {right - indent, corner.y - kColumnLabelDistance / 2}, {picture.is_table ? 1.0F : 0.5F, 1},
                       picture.scale, text);
        }
    }
}

// A line in each head's colour above its columns of the merged matrix.
void draw_head_boundaries(const HeadsPicture& picture, ImVec2 corner) {
    if (picture.stage.info.id != TensorId::merged) return;
    constexpr float kThickness = 3;
    const Sizes& sizes = picture.stage.evaluation.sizes;
    for (int head = 0; head < sizes.num_heads; ++head) {
        const int first = std::max(head * sizes.head_dim(), picture.window.first_column);
        const int last = std::min((head + 1) * sizes.head_dim() - 1, picture.window.last_column);
        if (first > last) continue;
        const float left = picture.cell_min(corner, 0, first).x;
        const float right = picture.cell_max(corner, 0, last).x;
        const ImU32 color = to_imgui(head_color(head, picture.frame.palette.is_dark));
        const float pixel = 1 / picture.scale;
        window_list().AddRectFilled({left, corner.y - kThickness - pixel},
                                    {std::max(right - pixel, left + pixel), corner.y - pixel}, color);
        if (first == picture.window.first_column) continue;
        window_list().AddLine({left - pixel / 2, corner.y}, {left - pixel / 2, corner.y + picture.grid.map.y}, color,
                              1);
    }
}

void frame_cell(const HeadsPicture& picture, ImVec2 corner, const Cell& cell, float thickness, ImU32 color) {
    if (!picture.window.contains(cell.row, cell.column)) return;
    constexpr float kSmallestFrame = 7;  // however small the cell is
    ImVec2 min = picture.cell_min(corner, cell.row, cell.column);
    ImVec2 max = picture.cell_max(corner, cell.row, cell.column);
    const float extra_x = std::max(0.0F, (kSmallestFrame - (max.x - min.x)) / 2);
    const float extra_y = std::max(0.0F, (kSmallestFrame - (max.y - min.y)) / 2);
    min = {min.x - extra_x, min.y - extra_y};
    max = {max.x + extra_x, max.y + extra_y};
    const float out = thickness / 4;
    const float in = thickness / 4 + 1;
    // A thin line of paper inside, for frames of nearly the cell's own colour.
    window_list().AddRect({min.x + in, min.y + in}, {max.x - in, max.y - in}, picture.frame.palette.paper, 3, 0, 1);
    window_list().AddRect({min.x - out, min.y - out}, {max.x + out, max.y + out}, color, 4, 0, thickness);
}

void draw_frames(const HeadsPicture& picture, ImVec2 corner, int head) {
    constexpr float kThick = 2.5F;
    constexpr float kThin = 1.5F;
    const ImU32 color = picture.color_of(head);
    const std::optional<Cell>& lit = picture.lit();
    const bool is_own = lit && lit->head == head;
    if (lit && !is_own) frame_cell(picture, corner, *lit, kThin, color);
    if (picture.pinned && picture.pinned->head == head) frame_cell(picture, corner, *picture.pinned, kThick, color);
    if (picture.pointed && is_own && lit != picture.pinned) {
        frame_cell(picture, corner, *lit, kThin, picture.frame.palette.ink);
    }
}

}  // namespace

ImVec2 HeadsPicture::corner(int index) const {
    const ImVec2 exact = origin + grid.corner(index);
    return {std::round(exact.x * scale) / scale, std::round(exact.y * scale) / scale};
}

float HeadsPicture::label_shift(ImVec2 corner) const {
    if (!is_table) return 0;
    return std::clamp(ImGui::GetCurrentWindow()->ClipRect.Min.x - (corner.x - axes.left), 0.0F,
                      grid.map.x - grid.cell.x);
}

ImVec2 HeadsPicture::cell_min(ImVec2 corner, int row, int column) const {
    return {corner.x + static_cast<float>(column - window.first_column) * grid.map.x /
                           static_cast<float>(window.num_columns()),
            corner.y + static_cast<float>(row - window.first_row) * grid.map.y / static_cast<float>(window.num_rows())};
}

ImVec2 HeadsPicture::cell_max(ImVec2 corner, int row, int column) const {
    return cell_min(corner, row + 1, column + 1);
}

ImU32 HeadsPicture::color_of(int head) const {
    return stage.is_by_head() ? to_imgui(head_color(head, frame.palette.is_dark)) : frame.palette.accent;
}

HeatmapStyle HeadsPicture::style() const {
    return heatmap_style(frame.palette, stage.map(), stage.range.low, stage.range.high, scale);
}

namespace {

// Fills the place of a map that is still being computed or uploaded.
void draw_waiting(const HeadsPicture& picture, int head, ImVec2 corner) {
    const Palette& palette = picture.frame.palette;
    const ImVec2 end = corner + picture.grid.map;
    fill_box(corner, end, mix(palette.paper, palette.chip, 0.75F), 3);
    if (picture.stage.is_ready(head)) return;  // the next frame brings it
    const TextStyle style = small(picture.frame);
    draw_level(style, corner, end, {0.5F, 0.5F}, picture.scale, shortened(style, "computing …", picture.grid.map.x));
}

void draw_colors(const HeadsPicture& picture, int head, ImVec2 corner) {
    HeatmapRenderer* heatmaps = picture.frame.heatmaps;
    const bool is_there = picture.stage.is_ready(head) && (picture.is_table || heatmaps == nullptr ||
                                                           heatmaps->holds(head, picture.stage.content_version));
    if (!is_there) return draw_waiting(picture, head, corner);
    if (picture.is_table || heatmaps == nullptr) return;
    const CellWindow& window = picture.window;
    put_heatmap(*heatmaps, head, corner, corner + picture.grid.map, picture.style(),
                HeatmapPart{.first_row = window.first_row,
                            .first_column = window.first_column,
                            .rows = window.num_rows(),
                            .columns = window.num_columns()});
}

}  // namespace

void draw_map(const HeadsPicture& picture, int index) {
    const ImVec2 corner = picture.corner(index);
    const int head = picture.head_at(index);
    const CellWindow& window = picture.window;
    const ImVec2 cell = picture.grid.cell;
    const ImRect clip(window_list().GetClipRectMin(), window_list().GetClipRectMax());
    const Lines rows = seen(corner.y, cell.y, window.first_row, window.last_row + 1, clip.Min.y, clip.Max.y);
    const auto columns_from = [&](float left) {
        return seen(corner.x, cell.x, window.first_column, window.last_column + 1, left, clip.Max.x);
    };
    const Lines columns = columns_from(clip.Min.x);

    draw_bands(picture, corner);
    draw_colors(picture, head, corner);
    draw_cross_hair(picture, corner);
    draw_head_boundaries(picture, corner);
    if (!picture.is_table) draw_row_labels(picture, corner, rows);
    draw_column_labels(picture, corner, columns_from(clip.Min.x - picture.axes.right));
    if (!picture.stage.is_ready(head)) {
        if (picture.is_table) draw_row_labels(picture, corner, rows);
        return;
    }
    if (picture.shows_values) {
        draw_values(picture, head, corner, {rows.first, rows.last, columns.first, columns.last});
    }
    draw_selection_veil(picture, corner);
    draw_targets(picture, head, corner);
    draw_row_stats(picture, head, corner, rows.first, rows.last);
    draw_change_marks(picture, head, corner, {rows.first, rows.last, columns.first, columns.last});
    draw_frames(picture, corner, head);
    if (picture.is_table) draw_row_labels(picture, corner, rows);  // over the numbers that are scrolled under them
}

}  // namespace attn
