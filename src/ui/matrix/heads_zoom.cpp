// Turns wheel, drag, keys and buttons into another window of cells; draws the overview.
#include "ui/matrix/heads_zoom.h"

#include <imgui_internal.h>  // vector arithmetic, the visible part of a window, key ownership

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/heatmap_callback.h"
#include "ui/kit/lock.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr int kLongAxis = 48;         // cells; maps of more have the line of buttons
constexpr float kLargeEnough = 20;    // points: a cell with room for a number; maps of such cells are not zoomed
constexpr float kLargestZoomed = 44;  // points: a cell beyond which zooming in shows nothing new
constexpr double kWheelStep = 1.25;   // a notch
constexpr double kKeyStep = 1.6;
constexpr int kPanShare = 8;     // presses of Shift and an arrow that cross the shown part
constexpr float kOverview = 96;  // points: its longer side
constexpr float kOverviewOnPhone = 64;
constexpr float kOverviewEdge = 6;

bool is_locked(const Shown& shown) {
    return locks_control(shown.state.view, "window");
}

void show(const HeadsPicture& picture, const CellWindow& window) {
    if (is_locked(picture.frame)) return;
    picture.frame.next.view.window = chosen_window(window, picture.extent());
}

// The point in cells from the matrix's corner.
Anchor anchor_at(const HeadsPicture& picture, ImVec2 corner, ImVec2 point) {
    const ImVec2 map = picture.grid.map;
    const ImVec2 share = {std::clamp((point.x - corner.x) / map.x, 0.0F, 1.0F),
                          std::clamp((point.y - corner.y) / map.y, 0.0F, 1.0F)};
    const CellWindow& window = picture.window;
    return {.row = window.first_row + static_cast<double>(share.y) * window.num_rows(),
            .column = window.first_column + static_cast<double>(share.x) * window.num_columns()};
}

int whole_cells(float way, float cell) {
    return static_cast<int>(std::lround(way / cell));
}

// Which part is shown, in as many words as there is room for.
std::string part_text(const TextStyle& style, const CellWindow& window, const Extent& extent, float room) {
    const std::string rows = concat(with_thousands(window.first_row), "–", with_thousands(window.last_row));
    const std::string columns = concat(with_thousands(window.first_column), "–", with_thousands(window.last_column));
    const std::string text = concat("rows ", rows, " of ", with_thousands(extent.rows), " · columns ", columns, " of ",
                                    with_thousands(extent.columns));
    return text_size(style, text).x <= room ? text : concat("rows ", rows, " · columns ", columns);
}

struct Direction {
    ImGuiKey key;
    int rows, columns;
};
constexpr std::array<Direction, 4> kDirections = {
    {{ImGuiKey_UpArrow, -1, 0}, {ImGuiKey_DownArrow, 1, 0}, {ImGuiKey_LeftArrow, 0, -1}, {ImGuiKey_RightArrow, 0, 1}}};

}  // namespace

void apply_window(HeadsPicture& picture) {
    HeadsGrid& grid = picture.grid;
    const Extent extent = picture.extent();
    picture.whole_map = grid.map;
    const bool is_large = std::min(grid.cell.x, grid.cell.y) >= kLargeEnough;
    const auto fewest = [](float length, float largest, int count) {
        return std::clamp(static_cast<int>(std::ceil(length / largest - 1e-3F)), 1, count);
    };
    picture.fewest =
        is_large ? extent
                 : Extent{.rows = fewest(grid.map.y, std::min(grid.wish.largest.y, kLargestZoomed), extent.rows),
                          .columns = fewest(grid.map.x, std::min(grid.wish.largest.x, kLargestZoomed), extent.columns)};
    picture.window = picture.can_zoom ? shown_window(picture.frame.state.view, extent) : whole_window(extent);
    if (!picture.is_zoomed()) return;
    const auto columns = static_cast<float>(picture.window.num_columns());
    const auto rows = static_cast<float>(picture.window.num_rows());
    grid.cell = {grid.map.x / columns, grid.map.y / rows};
    if (grid.wish.is_square) grid.cell.x = grid.cell.y = std::min(grid.cell.x, grid.cell.y);
    const auto on_pixels = [&](float length) {
        return std::max(1.0F, std::round(length * picture.scale)) / picture.scale;
    };
    grid.map = {on_pixels(grid.cell.x * columns), on_pixels(grid.cell.y * rows)};
    choose_steps(picture.axes, grid.cell);
}

double put_zoom_bar(Display& display, const ShownStage& stage) {
    const Extent extent = {.rows = stage.rows, .columns = stage.columns};
    const CellWindow window = shown_window(display.state.view, extent);
    const bool is_zoomed = window != whole_window(extent);
    if (!is_zoomed && std::max(stage.rows, stage.columns) <= kLongAxis) return 1;
    if (!shows_part(display, "views") || hides_control(display.state.view, "window")) return 1;
    ImGui::Dummy({1, 2});
    double factor = 1;
    {
        const LockScope lock(display, "window", display.palette.paper);
        if (icon_button(display, "window-", Icon::minus, "Smaller cells, more of them", is_zoomed))
            factor = 1 / kKeyStep;
        ImGui::SameLine(0, 6);
        if (icon_button(display, "window+", Icon::plus, "Larger cells, fewer of them")) factor = kKeyStep;
        ImGui::SameLine(0, 6);
        if (button(display, "window=", "whole", ButtonKind::quiet, is_zoomed)) factor = 0;
        call_last_item(display, "Show the whole map");
    }
    ImGui::SameLine(0, 12);
    const float height = control_height(display) + 4;  // of the buttons
    const ImVec2 place = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const TextStyle style = small(display);
    const char* hint = display.is_touch ? "two fingers enlarge a part" : "Ctrl and the wheel enlarge a part";
    const std::string text = is_zoomed ? part_text(style, window, extent, room) : std::string(hint);
    put_text(style, shortened(style, text, std::max(room, 1.0F)), height);
    display.items.push_back({.name = is_zoomed ? "window" : "window hint",
                             .id = 0,
                             .min = place,
                             .max = place + ImVec2(std::min(room, text_size(style, text).x), height)});
    return factor;
}

void zoom_by(const HeadsPicture& picture, double factor) {
    const CellWindow& window = picture.window;
    if (factor == 0) return show(picture, whole_window(picture.extent()));
    const auto middle = [](int first, int count) { return first + count / 2.0; };
    Anchor anchor = {.row = middle(window.first_row, window.num_rows()),
                     .column = middle(window.first_column, window.num_columns())};
    const std::optional<Cell>& pinned = picture.pinned;
    if (pinned && window.contains(pinned->row, pinned->column)) {
        anchor = {.row = pinned->row + 0.5, .column = pinned->column + 0.5};
    }
    show(picture, zoomed(window, picture.extent(), factor, anchor, picture.fewest));
}

bool take_zoom_pointer(const HeadsPicture& picture) {
    if (!picture.can_zoom) return false;
    const ImGuiIO& io = ImGui::GetIO();
    HeadsMemory& memory = picture.frame.heads;
    const std::optional<int> index = map_at(picture, io.MousePos);
    const bool is_over_map = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && index;
    const bool is_zoomable = picture.is_zoomed() || picture.fewest != picture.extent();
    memory.takes_zoom = is_over_map && is_zoomable && !is_locked(picture.frame);
    if (memory.takes_zoom && io.KeyCtrl && io.MouseWheel != 0) {
        const Anchor anchor = anchor_at(picture, picture.corner(*index), io.MousePos);
        if (memory.wheel_left * io.MouseWheel < 0) memory.wheel_left = 0;  // it turned round
        memory.wheel_left += io.MouseWheel;
        const double factor = std::pow(kWheelStep, static_cast<double>(memory.wheel_left));
        const CellWindow next = zoomed(picture.window, picture.extent(), factor, anchor, picture.fewest);
        if (next != picture.window) memory.wheel_left = 0;
        show(picture, next);
    }
    const bool can_drag = ImGui::IsItemActive() && picture.is_zoomed() && !memory.is_painting;
    if (!can_drag) return memory.dragged_from.has_value();
    const bool is_drag = ImGui::IsMouseDragging(ImGuiMouseButton_Left);
    if (is_drag && !memory.dragged_from && what_is_at(picture, io.MouseClickedPos[ImGuiMouseButton_Left]).cell) {
        memory.dragged_from = picture.window;
        picture.frame.widgets.finger_is_taken = true;
    }
    if (!memory.dragged_from) return false;
    const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0);
    const ImVec2 cell = picture.grid.cell;
    show(picture,
         panned(*memory.dragged_from, picture.extent(), whole_cells(-drag.y, cell.y), whole_cells(-drag.x, cell.x)));
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    return true;
}

void take_zoom_keys(const HeadsPicture& picture) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!picture.can_zoom || !ImGui::IsItemFocused() || io.KeyCtrl || io.KeyAlt || io.KeySuper) return;
    for (const ImWchar typed : io.InputQueueCharacters) {
        if (typed == '+' || typed == '=') zoom_by(picture, kKeyStep);  // = is + without Shift on many keyboards
        if (typed == '-') zoom_by(picture, 1 / kKeyStep);
        if (typed == '0') zoom_by(picture, 0);
    }
    if (!picture.frame.heads.is_in_cells || !io.KeyShift || !picture.is_zoomed()) return;
    const ImGuiID id = ImGui::GetItemID();
    for (const Direction& way : kDirections) {
        if (!ImGui::IsKeyPressed(way.key, ImGuiInputFlags_Repeat, id)) continue;
        const int rows = std::max(1, picture.window.num_rows() / kPanShare);
        const int columns = std::max(1, picture.window.num_columns() / kPanShare);
        show(picture, panned(picture.window, picture.extent(), way.rows * rows, way.columns * columns));
    }
}

void follow_with_window(const HeadsPicture& picture) {
    const HeadsMemory& memory = picture.frame.heads;
    const std::optional<Cell>& pinned = picture.pinned;
    if (!picture.is_zoomed() || !pinned || memory.followed == pinned) return;
    // A link that brings both says what is to be seen.
    if (memory.seen_window != picture.frame.state.view.window) return;
    show(picture, window_with(picture.window, picture.extent(), pinned->row, pinned->column));
}

void put_overview(const HeadsPicture& picture, int head) {
    if (!picture.is_zoomed()) return;
    Display& display = picture.frame;
    const Palette& palette = display.palette;
    const Extent extent = picture.extent();
    const float longest = std::max(picture.whole_map.x, picture.whole_map.y);
    const float most = display.is_small() ? kOverviewOnPhone : kOverview;
    const auto side = [&](float length) {
        return std::round(std::max(length * most / longest, 2 * kOverviewEdge) * picture.scale) / picture.scale;
    };
    const ImVec2 size = {side(picture.whole_map.x), side(picture.whole_map.y)};
    const ImRect seen = ImGui::GetCurrentWindow()->InnerRect;
    const auto on_pixel = [&](float point) { return std::round(point * picture.scale) / picture.scale; };
    const ImVec2 min = {on_pixel(seen.Max.x - size.x - 2 * kOverviewEdge),
                        on_pixel(seen.Max.y - size.y - 2 * kOverviewEdge)};
    const ImVec2 max = min + size;

    const ImVec2 edge = {kOverviewEdge, kOverviewEdge};
    fill_box(min - edge, max + edge, palette.paper);
    frame_box(min - edge, max + edge, palette.line);
    HeatmapRenderer* heatmaps = display.heatmaps;
    if (heatmaps != nullptr && heatmaps->holds(head, picture.stage.content_version)) {
        put_heatmap(*heatmaps, head, min, max, picture.style());
    }

    const ImVec2 cell = {size.x / static_cast<float>(extent.columns), size.y / static_cast<float>(extent.rows)};
    const auto mark_of = [&](const CellWindow& window) {
        ImRect mark(
            min + ImVec2(static_cast<float>(window.first_column), static_cast<float>(window.first_row)) * cell,
            min + ImVec2(static_cast<float>(window.last_column + 1), static_cast<float>(window.last_row + 1)) * cell);
        constexpr float kSmallest = 7;  // however small the part is
        mark.Expand(ImVec2(std::max(0.0F, (kSmallest - mark.GetWidth()) / 2),
                           std::max(0.0F, (kSmallest - mark.GetHeight()) / 2)));
        return mark;
    };
    const ImRect mark = mark_of(picture.window);
    frame_box(mark.Min - ImVec2(1, 1), mark.Max + ImVec2(1, 1), palette.paper, 1, 0);
    frame_box(mark.Min, mark.Max, palette.accent, 2, 0);

    ImGui::SetCursorScreenPos(min - edge);
    ImGui::InvisibleButton("overview", size + edge + edge);
    record_item(display, "overview");
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    put_tooltip(display, "The whole map", {}, "drag the frame to look at another part");
    const ImVec2 pointer = ImGui::GetMousePos();
    std::optional<CellWindow>& from = display.heads.dragged_from;
    if (ImGui::IsItemActivated()) {
        const ImVec2 way = mark.Contains(pointer) ? ImVec2(0, 0) : pointer - mark.GetCenter();
        from = panned(picture.window, extent, whole_cells(way.y, cell.y), whole_cells(way.x, cell.x));
    }
    if (!ImGui::IsItemActive() || !from) return;
    const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0);
    show(picture, panned(*from, extent, whole_cells(drag.y, cell.y), whole_cells(drag.x, cell.x)));
}

}  // namespace attn
