// The heat maps of all heads, or of one: how they share the room, their titles, and what a click does.
#include <imgui.h>
#include <imgui_internal.h>  // vector arithmetic, the visible part of a window, whether the keyboard is in use

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "ui/frame/frame.h"
#include "ui/frame/heads_work.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/kit/heads_text.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/lines/lines.h"
#include "ui/matrix/heads_paint.h"
#include "ui/matrix/heads_picture.h"
#include "ui/matrix/heads_stats.h"
#include "ui/matrix/heads_tools.h"
#include "ui/matrix/heads_values.h"
#include "ui/matrix/heads_zoom.h"
#include "ui/matrix/matrix.h"

namespace attn {
namespace {

constexpr float kOutline = 3;  // room around the grid for frames and the focus ring
constexpr float kSwipe = 40;   // points

// One head alone: enlarged, or on a phone. Nothing: all of them.
std::optional<int> single_head(const Display& display, const ShownStage& stage) {
    if (stage.num_maps == 1) return std::nullopt;
    const View& view = display.state.view;
    if (view.head) return std::min(*view.head, stage.num_maps - 1);
    if (!display.is_small()) return std::nullopt;
    return view.cell ? std::min(view.cell->head, stage.num_maps - 1) : 0;
}

// The smallest cells the grid may have before it scrolls.
ImVec2 smallest_cell(const HeadsPicture& picture, const GridWish& wish, ImVec2 room) {
    constexpr float kReadable = 12;      // a cell as high as a small label
    constexpr float kOnPhone = 10;       // where eight rows have no room for that
    constexpr float kSmallestMap = 160;  // with many tokens the cells are smaller, but not the map
    constexpr int kFewMaps = 4;          // this many print their numbers, even if one must scroll to the last
    constexpr int kFewestRows = 8;       // in sight on a phone, or all there are
    const auto columns = static_cast<float>(wish.columns);
    const auto rows = static_cast<float>(wish.rows);
    const ImVec2 small = {std::min(kReadable, kSmallestMap / columns), std::min(kReadable, kSmallestMap / rows)};
    const ImVec2 inside = {room.x - wish.left - wish.right, room.y - wish.top};
    const float printed = smallest_printed_cell(picture.stage);
    if (picture.frame.is_small()) {
        // A phone scrolls easily: the cells print their numbers if the width allows it and enough rows are in sight.
        const float by_height = inside.y / static_cast<float>(std::min(wish.rows, kFewestRows));
        const float cell = std::min({printed, inside.x / columns, by_height});
        return {std::max(cell, std::min(small.x, kOnPhone)), std::max(cell, std::min(small.y, kOnPhone))};
    }
    const float lowest = wish.is_square ? printed : lowest_number_cell();
    const bool prints_one = inside.x >= printed * columns && inside.y >= lowest * rows;
    return wish.count <= kFewMaps && prints_one ? ImVec2(printed, lowest) : small;
}

// A phone on its side is low and wide, and so is what a lesson's step leaves of any phone: square cells would have no
// room for numbers, and leave half the pane empty.
bool has_low_room(const HeadsPicture& picture, const GridWish& wish, ImVec2 room) {
    if (!picture.frame.is_small()) return false;
    if (room.x > 2 * room.y) return true;
    const float width = (room.x - wish.left - wish.right) / static_cast<float>(wish.columns);
    const float height = (room.y - wish.top) / static_cast<float>(wish.rows);
    const float printed = smallest_printed_cell(picture.stage);
    return width >= printed && height < printed && height >= lowest_number_cell();
}

GridWish wish_for(const HeadsPicture& picture, ImVec2 room, bool is_single) {
    constexpr float kPrinted = 20;  // a cell with a number in it, comfortably
    constexpr float kScrollingMap = 240;
    const ShownStage& stage = picture.stage;
    GridWish wish;
    wish.count = is_single ? 1 : stage.num_maps;
    wish.rows = stage.rows;
    wish.columns = stage.columns;
    wish.left = picture.axes.left;
    wish.top = picture.axes.top + picture.title_height;
    set_overhang(wish, picture.axes.right, picture.stat_width);
    wish.is_square = stage.has_keys() && !picture.is_table && !has_low_room(picture, wish, room);
    wish.distance = {picture.stat_width > 0 ? 24.0F : 14.0F, wish.count > 2 ? 10.0F : 20.0F};
    const float largest = wish.count == 1 ? 200.0F : 120.0F;
    wish.largest = wish.is_square ? ImVec2(largest, largest) : ImVec2(110, 60);

    const auto columns = static_cast<float>(stage.columns);
    const auto rows = static_cast<float>(stage.rows);
    wish.smallest = smallest_cell(picture, wish, room);
    wish.scrolling = picture.frame.is_small() ? wish.smallest
                                              : ImVec2(std::min(kPrinted, kScrollingMap / columns),
                                                       std::min(kPrinted, kScrollingMap / rows));
    return wish;
}

// Chooses labels and grid that suit each other.
void arrange_maps(HeadsPicture& picture, ImVec2 room, bool is_single) {
    if (picture.is_table) {
        const ImVec2 cell = table_cell(picture.frame, picture.stage);
        picture.axes = measure_table_axes(picture.frame, picture.stage, cell.x - kCellIndent);
        GridWish wish = wish_for(picture, room, is_single);
        wish.smallest = wish.scrolling = wish.largest = cell;
        picture.grid = fit_grid(wish, room, picture.scale);
    } else {
        for (int size = 0; size < kNumAxisSizes; ++size) {
            picture.axes = measure_axes(picture.frame, picture.stage, size);
            picture.grid = fit_grid(wish_for(picture, room, is_single), room, picture.scale);
            if (fits_cells(picture.axes, picture.grid.cell)) break;
        }
    }
    choose_steps(picture.axes, picture.grid.cell);
    apply_window(picture);
}

// The same with the numbers beside the rows, if rows are high enough for them.
void arrange(HeadsPicture& picture, ImVec2 room, bool is_single) {
    picture.stat = wished_stat(picture.frame, picture.stage);
    picture.stat_width = row_stat_width(picture);
    arrange_maps(picture, room, is_single);
    if (picture.stat == RowStat::none || picture.grid.cell.y >= kLowestStatRow) return;
    picture.stat = RowStat::none;
    picture.stat_width = 0;
    arrange_maps(picture, room, is_single);
}

// Where `cell` is among the maps: heads that are put together share one.
std::optional<Cell> place_in(const ShownStage& stage, std::optional<Cell> cell) {
    if (cell && stage.is_combined()) cell->head = 0;
    return cell;
}

HeadsPicture make_picture(UiFrame& frame, const ShownStage& stage, std::optional<int> single) {
    HeadsPicture picture{.frame = frame, .stage = stage};
    picture.title_height = single ? 0 : control_height(frame);
    picture.first_head = single.value_or(0);
    picture.scale = ImGui::GetIO().DisplayFramebufferScale.x;
    picture.shows_values = shows_part(frame, "values");
    picture.is_table = frame.state.view.view == ViewKind::numbers && picture.shows_values;
    picture.can_zoom = frame.state.view.view == ViewKind::matrix;
    picture.pinned = place_in(stage, frame.state.view.cell);
    picture.pointed = place_in(stage, frame.hover.cell);
    if (stage.info.rows == Axis::token) picture.lit_token = frame.hover.token;
    return picture;
}

// A click, a tap, a swipe over the cells, which were the last ImGui item.
void take_pointer(const HeadsPicture& picture, bool is_pressed, bool is_single) {
    UiFrame& frame = picture.frame;
    const bool paints = take_painting(picture);
    if (take_zoom_pointer(picture) || paints) return;
    View& view = frame.next.view;
    const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0);
    if (frame.is_small() && is_single && ImGui::IsItemDeactivated() && std::abs(drag.x) > kSwipe &&
        std::abs(drag.x) > 2 * std::abs(drag.y)) {
        choose_head(frame, picture.stage, picture.first_head + (drag.x < 0 ? 1 : -1));
        return;
    }
    if (!ImGui::IsItemHovered()) return;
    const Pointed pointed = what_is_at(picture, ImGui::GetMousePos());
    frame.next_hover.cell = pointed.cell;
    if (pointed.token) frame.next_hover.token = pointed.token;
    const bool is_click = is_pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
                          std::hypot(drag.x, drag.y) < ImGui::GetIO().MouseDragThreshold;
    if (is_click && pointed.token) pin_token(view, *pointed.token);
    if (is_click && pointed.cell) {
        const bool is_double = ImGui::GetIO().MouseClickedLastCount[ImGuiMouseButton_Left] == 2;
        view.cell = picture.pinned == pointed.cell && !is_double ? std::nullopt : pointed.cell;
        if (is_double && picture.is_zoomed()) {
            zoom_by(picture, 0);
        } else if (is_double && picture.stage.num_maps > 1) {
            choose_head(frame, picture.stage, pointed.cell->head);
        }
    }
    if (pointed.cell && !frame.is_touch) draw_readout(picture, *pointed.cell);
}

// The cells of all maps are one ImGui item: the pointer finds its cell by arithmetic, the keyboard enters with Enter.
void put_cells(const HeadsPicture& picture, ImVec2 size, bool is_single) {
    ImGui::PushStyleColor(ImGuiCol_NavCursor, 0);  // ours is drawn around the part that is in sight
    ImGui::SetNextItemAllowOverlap();
    const bool is_pressed = ImGui::InvisibleButton("cells", size, ImGuiButtonFlags_EnableNav);
    ImGui::PopStyleColor();
    record_item(picture.frame, "cells");
    take_pointer(picture, is_pressed, is_single);
    if (ImGui::IsItemFocused() && ImGui::GetCurrentContext()->NavCursorVisible) {
        const ImRect seen = ImGui::GetCurrentWindow()->InnerRect;
        frame_box(seen.Min, seen.Max, picture.frame.palette.accent, picture.frame.heads.is_in_cells ? 2.5F : 1.5F);
        put_key_hint(picture);
    }
    take_zoom_keys(picture);
    move_with_keys(picture);
}

// Where each map's cells are, and the part of them that is in sight, for tests.
void record_map(const HeadsPicture& picture, int index) {
    const ImVec2 corner = picture.corner(index);
    const ImRect map(corner, corner + picture.grid.map);
    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    std::vector<UiItem>& items = picture.frame.items;
    const int number = picture.head_at(index) + 1;
    const bool is_clipped = !clip.Contains(map);
    items.push_back(
        {.name = concat("map=", number), .id = 0, .min = map.Min, .max = map.Max, .is_clipped = is_clipped});
    ImRect seen = map;
    seen.ClipWith(clip);
    if (seen.IsInverted()) return;
    items.push_back({.name = concat("seen=", number), .id = 0, .min = seen.Min, .max = seen.Max});
}

// The map that the overview shows for all: the one pointed at or pinned if it is in sight, else the first.
int overview_head(const HeadsPicture& picture, int first, int last) {
    const int head = picture.lit() ? picture.lit()->head : 0;
    return std::clamp(head, picture.head_at(first), std::max(picture.head_at(first), picture.head_at(last) - 1));
}

// Frees the maps that are not among [first, last) of the grid, and begins with those that are.
void upload_maps(const HeadsPicture& picture, int first, int last) {
    HeatmapRenderer* heatmaps = picture.is_table ? nullptr : picture.frame.heatmaps;
    first = picture.head_at(first);
    last = picture.head_at(last);
    if (heatmaps != nullptr) {
        heatmaps->keep_slots(first, last);
        upload_some(picture.stage, *heatmaps, first, last, cells_per_step(picture.stage));
    }
    remember_shown(picture.frame.heads, picture.stage, heatmaps, first, last);
}

void draw_grid(HeadsPicture& picture, ImVec2 room, bool is_single) {
    // Keep the scroll position of each stage to itself: a matrix of another shape begins at its top.
    const std::string id = concat("maps of ", picture.stage.info.name, is_single ? "one" : "all");
    const ImVec2 outline = {kOutline, kOutline};
    ImGui::SetCursorScreenPos(ImGui::GetCursorScreenPos() - outline);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, outline);
    const float bar = picture.grid.size.x > room.x ? ImGui::GetStyle().ScrollbarSize : 0;  // below the last row
    const float height = std::min(room.y, picture.grid.size.y + bar);
    ImGui::BeginChild(id.c_str(), ImVec2(room.x, height) + outline + outline,
                      ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding,
                      ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PopStyleVar();
    picture.origin = ImGui::GetCursorScreenPos();
    const ImVec2 size = {std::max(picture.grid.size.x, room.x - ImGui::GetStyle().ScrollbarSize), picture.grid.size.y};
    put_cells(picture, size, is_single);
    follow_with_window(picture);
    follow_pinned_cell(picture);

    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    const int first = picture.grid.first_between(clip.Min.y - picture.origin.y);
    const int last = picture.grid.last_between(clip.Max.y - picture.origin.y);
    upload_maps(picture, first, last);
    for (int index = first; index < last; ++index) {
        if (picture.title_height > 0) put_title(picture, index);
        draw_map(picture, index);
        record_map(picture, index);
    }
    put_overview(picture, overview_head(picture, first, last));
    scroll_by_finger(picture.frame);
    ImGui::EndChild();
}

}  // namespace

void draw_matrix(UiFrame& frame) {
    const TensorId id = frame.state.view.stage;
    put_heads_tools(frame);
    HeadsMemory& memory = frame.heads;
    const Combine combine = frame.state.view.combine;
    const ShownStage stage =
        shown_stage(frame.evaluation, frame.version, id, memory.stage, combine, Blanks(frame.state));
    const std::optional<int> single = single_head(frame, stage);
    HeadsPicture picture = make_picture(frame, stage, single);
    if (single) put_single_bar(picture, *single);
    const double zoom = picture.can_zoom ? put_zoom_bar(frame, stage) : 1;
    ImGui::Dummy({1, 2});

    const bool has_legend = shows_legend(frame);
    ImVec2 room = ImGui::GetContentRegionAvail();
    room.y -= target_strip_height(frame);
    if (has_legend) room.y -= legend_height(picture, room.x) + ImGui::GetStyle().ItemSpacing.y;
    room = {std::max(room.x, 80.0F), std::max(room.y - 2 * kOutline, 80.0F)};
    arrange(picture, room, single.has_value());
    if (picture.grid.size.y > room.y) {
        arrange(picture, {room.x - ImGui::GetStyle().ScrollbarSize, room.y}, single.has_value());
    }
    draw_grid(picture, room, single.has_value());
    if (zoom != 1) zoom_by(picture, zoom);
    if (has_legend) draw_legend(picture);
    put_target_strip(frame);

    take_painting_keys(picture);
    const bool is_elsewhere = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup) || ImGui::GetIO().WantTextInput;
    if (single && !frame.is_small() && !frame.heads.is_in_cells && !is_elsewhere &&
        ImGui::IsKeyPressed(ImGuiKey_Escape, ImGuiInputFlags_None, ImGuiKeyOwner_NoOwner)) {
        frame.next.view.head.reset();
    }
    memory.seen_window = frame.state.view.window;
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) memory.dragged_from.reset();
}

void draw_numbers(UiFrame& frame) {
    draw_matrix(frame);
}

}  // namespace attn
