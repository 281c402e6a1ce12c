// Pointing at cells, reading them, and walking over them with the keys.
#include <imgui_internal.h>  // key ownership: the arrows belong to the cells while Enter holds them there

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "scene/kit/figure_text.h"
#include "ui/frame/pins.h"
#include "ui/kit/widgets.h"
#include "ui/matrix/change_marks.h"
#include "ui/matrix/heads_paint.h"
#include "ui/matrix/heads_picture.h"
#include "views/stage/place_words.h"

namespace attn {
namespace {

bool lies_in(float x, float from, float to) {
    return x >= from && x < to;
}

int line_at(float place, float length, int count) {
    return std::clamp(static_cast<int>(place / length * static_cast<float>(count)), 0, count - 1);
}

struct Move {
    ImGuiKey key;
    int rows, columns, heads;
};
constexpr std::array<Move, 6> kMoves = {{{ImGuiKey_UpArrow, -1, 0, 0},
                                         {ImGuiKey_DownArrow, 1, 0, 0},
                                         {ImGuiKey_LeftArrow, 0, -1, 0},
                                         {ImGuiKey_RightArrow, 0, 1, 0},
                                         {ImGuiKey_PageUp, 0, 0, -1},
                                         {ImGuiKey_PageDown, 0, 0, 1}}};

Cell moved(const HeadsPicture& picture, Cell cell, const Move& step) {
    const ShownStage& stage = picture.stage;
    // Ctrl and an arrow: the same cell in the next head.
    const bool to_next_head = ImGui::GetIO().KeyCtrl;
    const int heads = to_next_head ? step.columns + step.rows : step.heads;
    if (!to_next_head) {
        cell.row = std::clamp(cell.row + step.rows, 0, stage.rows - 1);
        cell.column = std::clamp(cell.column + step.columns, 0, stage.columns - 1);
    }
    cell.head = (cell.head + heads + stage.num_maps) % stage.num_maps;
    return cell;
}

}  // namespace

std::optional<int> map_at(const HeadsPicture& picture, ImVec2 point) {
    const HeadsGrid& grid = picture.grid;
    ImVec2 local = point - picture.origin;
    if (local.x < 0 || local.y < 0) return std::nullopt;
    const int row = static_cast<int>(local.y / grid.pitch.y);
    // A slanted label belongs to the map it leans away from, though its end hangs over the next one's corner.
    const float above = local.y - static_cast<float>(row) * grid.pitch.y - grid.wish.top;
    if (picture.axes.columns.is_slanted && lies_in(above, -picture.axes.top, 0)) {
        local.x = std::max(0.0F, local.x + above / std::tan(kSlant));
    }
    const int column = static_cast<int>(local.x / grid.pitch.x);
    const int index = row * grid.per_row + column;
    if (column >= grid.per_row || index >= grid.wish.count) return std::nullopt;
    return index;
}

Pointed what_is_at(const HeadsPicture& picture, ImVec2 point) {
    const std::optional<int> index = map_at(picture, point);
    if (!index || !picture.stage.is_ready(picture.head_at(*index))) return {};
    const HeadsGrid& grid = picture.grid;
    const ImVec2 corner = picture.corner(*index);
    const ImVec2 local = point - corner;
    const ShownStage& stage = picture.stage;
    const float shift = picture.label_shift(corner);
    const bool is_beside = lies_in(local.x - shift, -picture.axes.left, 0);
    const bool is_above = lies_in(local.y, -picture.axes.top, 0);
    const CellWindow& window = picture.window;
    const auto row_at = [&](float y) { return window.first_row + line_at(y, grid.map.y, window.num_rows()); };
    const auto column_at = [&](float x) { return window.first_column + line_at(x, grid.map.x, window.num_columns()); };
    if (lies_in(local.x, shift, grid.map.x) && lies_in(local.y, 0, grid.map.y)) {
        const Cell cell = {.head = picture.head_at(*index), .row = row_at(local.y), .column = column_at(local.x)};
        return {.cell = cell, .token = std::nullopt};
    }
    if (is_beside && stage.info.rows == Axis::token && lies_in(local.y, 0, grid.map.y)) {
        return {.cell = std::nullopt, .token = row_at(local.y)};
    }
    if (is_above && stage.has_keys()) {
        const float slanted = picture.axes.columns.is_slanted ? local.x + local.y / std::tan(kSlant) : local.x;
        if (lies_in(slanted, 0, grid.map.x)) {
            return {.cell = std::nullopt, .token = column_at(slanted)};
        }
    }
    return {};
}

void draw_readout(const HeadsPicture& picture, const Cell& cell) {
    const Display& display = picture.frame;
    const ShownStage& stage = picture.stage;
    const std::string row = row_text(stage.evaluation, stage.info.id, cell.row);
    const std::string column = column_text(stage.evaluation, stage.info.id, cell.column);
    const std::string title =
        stage.has_keys() ? from_to(row, column) : place_text(stage.evaluation, stage.info.id, cell.row, cell.column);
    const Vector values = shown_row(stage, cell.head, cell.row);
    const float value = values(cell.column);
    const bool is_hidden = value == -std::numeric_limits<float>::infinity();
    const bool is_blank = stage.is_blank(cell.head, cell.row, cell.column);

    const ImVec2 corner = picture.corner(cell.head - picture.first_head);
    if (begin_tip({picture.cell_min(corner, cell.row, cell.column), picture.cell_max(corner, cell.row, cell.column)})) {
        if (stage.num_maps > 1) {
            constexpr float kSquare = 9;
            const ImVec2 place = ImGui::GetCursorScreenPos();
            const ImVec2 min = {place.x, place.y + (kSmallSize - kSquare) / 2};
            fill_box(min, min + ImVec2(kSquare, kSquare), picture.color_of(cell.head), 2);
            ImGui::SetCursorScreenPos({place.x + kSquare + 6, place.y});
            put_text(small(display), concat("Head ", cell.head + 1));
        }
        put_text(body(display), shortened(body(display), title, 320));
        if (is_hidden) {
            const bool is_future = cell.column > cell.row;
            put_text(small(display), is_future ? "masked: the key is in the future" : "masked: the key is hidden");
        } else if (picture.shows_values) {
            put_text({display.fonts.sans_bold, kTitleSize, display.palette.ink},
                     is_blank ? std::string("?") : shown_number(value));
        }
        const std::string change =
            stage.is_combined() || is_blank ? std::string() : cell_change_text(display, stage.info.id, cell);
        if (picture.shows_values && !change.empty()) put_text(small(display), change);
        end_tip();
    }
}

void follow_pinned_cell(const HeadsPicture& picture) {
    std::optional<Cell>& followed = picture.frame.heads.followed;
    if (followed == picture.pinned) return;
    followed = picture.pinned;
    if (!followed) return;
    const int index = followed->head - picture.first_head;
    if (index < 0 || index >= picture.grid.wish.count) return;
    const ImVec2 corner = picture.corner(index);
    const ImVec2 above = {picture.axes.left, picture.axes.top + picture.title_height};
    const ImRect map(corner - above, corner + picture.grid.map);
    const ImRect cell(picture.cell_min(corner, followed->row, followed->column) - above,
                      picture.cell_max(corner, followed->row, followed->column));
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    const bool fits =
        map.GetHeight() <= window->InnerRect.GetHeight() && map.GetWidth() <= window->InnerRect.GetWidth();
    ImGui::ScrollToRect(
        window, fits ? map : cell,
        ImGuiScrollFlags_KeepVisibleEdgeX | ImGuiScrollFlags_KeepVisibleEdgeY | ImGuiScrollFlags_NoScrollParent);
}

void put_key_hint(const HeadsPicture& picture) {
    Display& display = picture.frame;
    const bool is_inside = display.heads.is_in_cells;
    display.widgets.focus.name = "cells";
    display.widgets.focus.words = !is_inside ? "cells of the map: press Enter, then walk with the arrow keys"
                                  : display.heads.is_painting
                                      ? "in the cells: the arrows walk, Space paints, Escape leaves"
                                      : "in the cells: the arrows walk, Escape leaves";
    const TextStyle style = small(display);
    const std::string_view words = !is_inside                  ? "Enter: into the cells"
                                   : display.heads.is_painting ? "Arrows · Space: paint · P: done · Esc: leave"
                                   : picture.stage.has_keys()  ? "Arrows: cell by cell · P: paint · Esc: leave"
                                                               : "Arrows: cell by cell · Esc: leave";
    const ImRect seen = ImGui::GetCurrentWindow()->InnerRect;
    const ImVec2 padding = {8, 4};
    const ImVec2 size = text_size(style, words) + padding * 2;
    const ImVec2 min = {seen.Max.x - size.x - 6, seen.Min.y + 6};
    fill_box(min, min + size, display.palette.panel);
    frame_box(min, min + size, display.palette.accent);
    draw_text(min + padding, style, words);
    display.items.push_back({.name = is_inside ? "keys=inside" : "keys=enter", .id = 0, .min = min, .max = min + size});
}

void move_with_keys(const HeadsPicture& picture) {
    UiFrame& frame = picture.frame;
    View& view = frame.next.view;
    const ImGuiID id = ImGui::GetItemID();
    if (!ImGui::IsItemFocused()) {
        frame.heads.is_in_cells = false;
        return;
    }
    const bool was_inside = frame.heads.is_in_cells;
    const Cell first = {
        .head = picture.first_head, .row = picture.window.first_row, .column = picture.window.first_column};
    if (!was_inside && ImGui::IsKeyPressed(ImGuiKey_Enter, false)) {
        frame.heads.is_in_cells = true;
        if (!picture.pinned) view.cell = first;
    }
    if (!frame.heads.is_in_cells) return;
    for (const ImGuiKey key : {ImGuiKey_Escape, ImGuiKey_Enter, ImGuiKey_Space}) ImGui::SetKeyOwner(key, id);
    for (const Move& step : kMoves) ImGui::SetKeyOwner(step.key, id);
    if (!was_inside) return;
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, ImGuiInputFlags_None, id)) {
        frame.heads.is_in_cells = false;
        return;
    }
    if (frame.heads.is_painting && ImGui::IsKeyPressed(ImGuiKey_Space, ImGuiInputFlags_None, id))
        paint_pinned_cell(picture);
    for (const Move& step : kMoves) {
        const bool is_of_window = ImGui::GetIO().KeyShift && picture.is_zoomed();
        if (is_of_window || !ImGui::IsKeyPressed(step.key, ImGuiInputFlags_Repeat, id)) continue;
        const Cell cell = moved(picture, picture.pinned.value_or(first), step);
        view.cell = cell;
        if (view.head && picture.stage.num_maps > 1) view.head = cell.head;
    }
}

}  // namespace attn
