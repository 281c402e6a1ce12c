// The picture of the table: visible cells, labels that stay visible, marks on edited numbers.
#include <imgui_internal.h>  // vector arithmetic, the clip rectangle of the current window

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "ui/edit/edit_picture.h"
#include "ui/kit/widgets.h"
#include "views/edit/edit_text.h"

namespace attn {
namespace {

constexpr float kIndent = 8;  // from a number to the edge of its cell
constexpr float kDot = 2.5F;

struct Lines {
    int first, last;  // one past the last
};

// The rows (or columns) of cells `extent` long in `room`, `scroll` of which is out of sight before them.
Lines in_sight(float scroll, float room, float extent, int count) {
    const int first = static_cast<int>(scroll / extent);
    const int last = static_cast<int>((scroll + room) / extent) + 1;
    return {std::clamp(first, 0, count), std::clamp(last, 0, count)};
}

Lines rows_in_sight(const EditPicture& picture) {
    const float top = ImGui::GetWindowPos().y;
    return in_sight(top - picture.origin.y, picture.visible.y, picture.cell.y, picture.extent.rows);
}

Lines columns_in_sight(const EditPicture& picture) {
    const float left = ImGui::GetWindowPos().x;
    return in_sight(left - picture.origin.x, picture.visible.x, picture.cell.x, picture.extent.columns);
}

int head_dim_of(const EditPicture& picture) {
    return picture.frame.evaluation.sizes.head_dim();
}

// Keys and values that heads share are in the colour of the first.
ImU32 head_ink(const EditPicture& picture, int head) {
    const int readers = is_shared_by_heads(picture.tensor) ? picture.frame.evaluation.sizes.heads_per_kv_head() : 1;
    return to_imgui(head_color(head * readers, picture.frame.palette.is_dark));
}

std::string cell_text(const EditPicture& picture, Spot spot) {
    const float value = picture.number(spot);
    return picture.is_mask() ? concat(value) : shown_number(static_cast<double>(value));
}

void draw_cell(const EditPicture& picture, Spot spot) {
    const Display& display = picture.frame;
    const ImVec2 min = picture.cell_min(spot);
    const ImVec2 max = picture.cell_max(spot);
    const bool is_typed = is_typed_over(display.state, picture.tensor, spot.row, spot.column);
    const bool is_hidden_key = picture.is_mask() && picture.number(spot) != 0;
    if (is_hidden_key) fill_box(min + ImVec2(1, 1), max - ImVec2(1, 1), display.palette.chip, 0);
    TextStyle style = is_typed ? bold(display) : body(display);
    if (picture.is_mask() && !is_hidden_key && !is_typed) style.color = display.palette.soft_ink;
    const std::string text = cell_text(picture, spot);
    const float room = picture.cell.x - kIndent - 4;
    const float width = text_size(style, text).x;
    if (width > room) style.size = std::floor(style.size * room / width);
    draw_text_in(min, {max.x - kIndent, max.y}, {1, 0.5F}, style, text);
    if (is_typed) {
        ImGui::GetWindowDrawList()->AddCircleFilled(min + ImVec2(kDot + 3, kDot + 3), kDot, display.palette.accent);
    }
}

void draw_lines(const EditPicture& picture, Lines rows, Lines columns) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 color = picture.frame.palette.line;
    const ImVec2 begin = picture.cell_min({rows.first, columns.first});
    const ImVec2 end = picture.cell_min({rows.last, columns.last});
    for (int row = rows.first; row <= rows.last; ++row) {
        const float y = picture.cell_min({row, 0}).y;
        list.AddLine({begin.x, y}, {end.x, y}, color);
    }
    for (int column = columns.first; column <= columns.last; ++column) {
        const float x = picture.cell_min({0, column}).x;
        list.AddLine({x, begin.y}, {x, end.y}, color);
    }
}

// Where one head's channels end and the next one's begin.
void draw_head_lines(const EditPicture& picture, Lines rows, Lines columns) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const int head_dim = head_dim_of(picture);
    constexpr float kThickness = 1.5F;
    if (has_head_columns(picture.tensor)) {
        for (int column = columns.first; column <= columns.last; ++column) {
            if (column % head_dim != 0 || column == 0 || column == picture.extent.columns) continue;
            const ImVec2 from = picture.cell_min({rows.first, column});
            list.AddLine(from, {from.x, picture.cell_min({rows.last, column}).y}, head_ink(picture, column / head_dim),
                         kThickness);
        }
    }
    if (has_head_rows(picture.tensor)) {
        for (int row = rows.first; row <= rows.last; ++row) {
            if (row % head_dim != 0 || row == 0 || row == picture.extent.rows) continue;
            const ImVec2 from = picture.cell_min({row, columns.first});
            list.AddLine(from, {picture.cell_min({row, columns.last}).x, from.y}, head_ink(picture, row / head_dim),
                         kThickness);
        }
    }
}

void draw_selection(const EditPicture& picture) {
    const Look& look = picture.frame;
    const Area area = selected_area(picture.memory);
    const ImVec2 min = picture.cell_min({area.row, area.column});
    const ImVec2 max = picture.cell_min({area.row + area.rows, area.column + area.columns});
    frame_box(min, max + ImVec2(1, 1), look.palette.accent, picture.memory.is_in_cells ? 2.5F : 1.5F, 2);
}

void draw_selected_ground(const EditPicture& picture) {
    const Area area = selected_area(picture.memory);
    fill_box(picture.cell_min({area.row, area.column}),
             picture.cell_min({area.row + area.rows, area.column + area.columns}), picture.frame.palette.lit, 0);
}

// Outside the cells' clip rectangle: the labels scroll along but stay in sight.
void draw_row_labels(const EditPicture& picture, Lines rows) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Area area = selected_area(picture.memory);
    const ImVec2 corner = ImGui::GetWindowPos();
    list.PushClipRect({corner.x - picture.left, corner.y}, {corner.x, corner.y + picture.visible.y});
    for (int row = rows.first; row < rows.last; ++row) {
        const bool is_lit = row >= area.row && row < area.row + area.rows;
        const TextStyle style = is_lit ? bold(picture.frame) : small(picture.frame);
        const float top = picture.cell_min({row, 0}).y;
        const std::string text =
            shortened(style, table_row_label(picture.frame.evaluation, picture.tensor, row), picture.left - 12);
        draw_text_in({corner.x - picture.left, top}, {corner.x - 8, top + picture.cell.y}, {1, 0.5F}, style, text);
        if (!has_head_rows(picture.tensor)) continue;
        fill_box({corner.x - 4, top}, {corner.x - 1, top + picture.cell.y},
                 head_ink(picture, row / head_dim_of(picture)), 0);
    }
    list.PopClipRect();
}

void draw_column_labels(const EditPicture& picture, Lines columns) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Area area = selected_area(picture.memory);
    const ImVec2 corner = ImGui::GetWindowPos();
    list.PushClipRect({corner.x, corner.y - picture.top}, {corner.x + picture.visible.x, corner.y});
    for (int column = columns.first; column < columns.last; ++column) {
        const bool is_lit = column >= area.column && column < area.column + area.columns;
        const TextStyle style = is_lit ? bold(picture.frame) : small(picture.frame);
        const float left = picture.cell_min({0, column}).x;
        const std::string text =
            shortened(style, table_column_label(picture.frame.evaluation, picture.tensor, column), picture.cell.x - 6);
        draw_text_in({left, corner.y - picture.top}, {left + picture.cell.x - kIndent, corner.y - 4}, {1, 1}, style,
                     text);
        if (!has_head_columns(picture.tensor)) continue;
        fill_box({left, corner.y - 4}, {left + picture.cell.x, corner.y - 1},
                 head_ink(picture, column / head_dim_of(picture)), 0);
    }
    list.PopClipRect();
}

// What stands where, for tests: "w_query[0,1]".
void record_cells(const EditPicture& picture, Lines rows, Lines columns) {
    const ImRect clip = ImGui::GetCurrentWindow()->InnerRect;
    const int sentence = is_of_sentence(picture.tensor) ? picture.frame.state.view.sentence : 0;
    for (int row = rows.first; row < rows.last; ++row) {
        for (int column = columns.first; column < columns.last; ++column) {
            const ImRect cell(picture.cell_min({row, column}), picture.cell_max({row, column}));
            const Edit edit = {
                .tensor = picture.tensor, .sentence = sentence, .row = row, .column = column, .value = 0};
            picture.frame.items.push_back({.name = cell_name(edit),
                                           .id = 0,
                                           .min = cell.Min,
                                           .max = cell.Max,
                                           .is_clipped = !clip.Contains(cell)});
        }
    }
}

}  // namespace

void draw_edit_cells(const EditPicture& picture) {
    const Lines rows = rows_in_sight(picture);
    const Lines columns = columns_in_sight(picture);
    draw_selected_ground(picture);
    draw_lines(picture, rows, columns);
    for (int row = rows.first; row < rows.last; ++row) {
        for (int column = columns.first; column < columns.last; ++column) draw_cell(picture, {row, column});
    }
    draw_head_lines(picture, rows, columns);
    draw_selection(picture);
    draw_row_labels(picture, rows);
    draw_column_labels(picture, columns);
    record_cells(picture, rows, columns);
}

}  // namespace attn
