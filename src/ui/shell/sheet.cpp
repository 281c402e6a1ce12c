// Moves the sheet: with the finger, by its speed once the finger leaves it, and to the nearest stop.
#include "ui/shell/sheet.h"

#include <imgui_internal.h>  // which child the finger went down in, and taking the press back

#include <algorithm>
#include <cmath>

#include "ui/frame/layout.h"
#include "ui/kit/undo.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kGrip = 22;
constexpr float kLowGrip = 12;  // over a lesson, whose text and picture need the rest
constexpr float kFinger = 40;   // the smallest target for a finger

float edge_of(const PanelMemory& memory, const SheetStops& stops) {
    const SheetMemory& sheet = memory.sheet;
    return std::clamp(sheet.edge.value_or(stops.at(sheet.stop)), stops.closed, stops.open);
}

// `up`: how far the finger moved up in this frame, in points.
void move_by(Display& display, const SheetStops& stops, float up) {
    SheetMemory& sheet = display.memory.sheet;
    sheet.edge = std::clamp(edge_of(display.memory, stops) + up, stops.closed, stops.open);
    sheet.is_held = true;
    display.widgets.finger_is_taken = true;
}

// A finger that rests before it lifts throws nothing.
void measure_speed(SheetMemory& sheet, const ImGuiIO& io) {
    constexpr float kNews = 0.5F;  // share of this frame
    const float speed = -io.MouseDelta.y / std::max(io.DeltaTime, 1e-3F);
    sheet.speed += (speed - sheet.speed) * kNews;
}

// The stop nearest to where a released sheet would come to rest by itself.
SheetStop stop_near(const SheetMemory& sheet, const SheetStops& stops) {
    constexpr float kGlide = 0.18F;  // seconds
    const float goal = sheet.edge.value_or(stops.closed) + sheet.speed * kGlide;
    if (goal < (stops.closed + stops.half) / 2) return SheetStop::closed;
    return goal < (stops.half + stops.open) / 2 ? SheetStop::half : SheetStop::open;
}

// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] float moving_edge(Display& display, const SheetStops& stops) {
    SheetMemory& sheet = display.memory.sheet;
    display.widgets.is_moving = true;
    const ImGuiIO& io = ImGui::GetIO();
    if (sheet.is_held && io.MouseDown[ImGuiMouseButton_Left]) return edge_of(display.memory, stops);
    if (sheet.is_held) sheet.stop = stop_near(sheet, stops);
    sheet.is_held = false;
    sheet.speed = 0;
    const float goal = stops.at(sheet.stop);
    const float left = goal - edge_of(display.memory, stops);
    constexpr float kRate = 18;  // a second: it arrives after a quarter of one
    const float step = left * (1 - std::exp(-kRate * io.DeltaTime));
    const bool arrives = display.reduces_motion || std::abs(left - step) < 0.5F;
    if (arrives) sheet.edge.reset();
    if (!arrives) sheet.edge = goal - left + step;
    return edge_of(display.memory, stops);
}

// Not inlined, as above.
[[gnu::noinline]] void drag_grip(Display& display, const SheetStops& stops) {
    measure_speed(display.memory.sheet, ImGui::GetIO());
    move_by(display, stops, -ImGui::GetIO().MouseDelta.y);
}

// Whether a press in this frame is the end of a drag: a grip that followed the finger is still under it.
bool ends_drag() {
    const ImGuiIO& io = ImGui::GetIO();
    const float most = io.MouseDragThreshold * io.MouseDragThreshold;
    return io.MouseReleased[ImGuiMouseButton_Left] && io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] >= most;
}

// Not inlined, as above.
[[gnu::noinline]] void toggle_sheet(PanelMemory& memory, const SheetStops& stops) {
    SheetMemory& sheet = memory.sheet;
    sheet.edge = edge_of(memory, stops);
    sheet.stop = sheet.stop == SheetStop::closed ? SheetStop::half : SheetStop::closed;
}

// Not inlined, as above.
[[gnu::noinline]] void drag_content(Display& display, const SheetStops& stops) {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    SheetMemory& sheet = display.memory.sheet;
    if (!window->InnerRect.Contains(context.IO.MouseClickedPos[ImGuiMouseButton_Left])) return;
    if (context.ActiveId != 0 && context.InputTextState.ID == context.ActiveId) return;  // it selects text
    const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
    const bool is_sideways = std::abs(drag.x) > std::abs(drag.y);
    if (!sheet.is_held && (is_sideways || display.widgets.finger_scrolls)) return;
    ImGui::ClearActiveID();  // the finger presses nothing
    measure_speed(sheet, context.IO);
    const float up = -context.IO.MouseDelta.y;
    const float edge = edge_of(display.memory, stops);
    const float moved = up > 0 ? std::min(up, stops.open - edge) : std::min(0.0F, up + window->Scroll.y);
    move_by(display, stops, moved);
    ImGui::SetScrollY(window, std::clamp(window->Scroll.y + up - moved, 0.0F, window->ScrollMax.y));
}

}  // namespace

float SheetStops::at(SheetStop stop) const {
    return stop == SheetStop::closed ? closed : stop == SheetStop::half ? half : open;
}

float sheet_edge(Display& display, const SheetStops& stops) {
    return display.memory.sheet.edge ? moving_edge(display, stops) : stops.at(display.memory.sheet.stop);
}

bool has_undo(const UiFrame& frame) {
    return shows_part(frame, "undo") && frame.state.view.view != ViewKind::edit &&
           (frame.session.can_undo() || frame.session.can_redo());
}

float grip_height(const UiFrame& frame) {
    if (has_undo(frame)) return control_height(frame) + 8;
    return has_lesson(frame) ? kLowGrip : kGrip;
}

bool put_grip(UiFrame& frame, const SheetStops& stops, float width) {
    constexpr float kMarginOfSheet = 16;
    const float height = grip_height(frame);
    const float buttons = has_undo(frame) ? undo_buttons_width(frame) + kMarginOfSheet : 0;
    // For a finger it reaches down over the sheet's heading, which cannot be pressed itself.
    const ItemState state =
        item(frame, "inspector", {width - buttons, frame.is_touch ? std::max(kFinger, height) : height});
    const bool is_closed = frame.memory.sheet.stop == SheetStop::closed;
    call_item(frame, state, is_closed ? "Show the explanation" : "Hide the explanation");
    const bool is_dragged = state.is_held && ImGui::IsMouseDragging(ImGuiMouseButton_Left);
    if (is_dragged) drag_grip(frame, stops);
    if (state.is_pressed && !ends_drag()) toggle_sheet(frame.memory, stops);
    const ImVec2 center = {state.min.x + width / 2, state.min.y + std::min(height / 2, 10.0F)};
    fill_box({center.x - 20, center.y - 2}, {center.x + 20, center.y + 2},
             state.is_hovered ? frame.palette.soft_ink : mix(frame.palette.line, frame.palette.soft_ink, 0.3F), 2);
    if (buttons > 0) {
        ImGui::SetCursorScreenPos({state.min.x + width - buttons, state.min.y + 4});
        put_undo_buttons(frame);
    }
    ImGui::SetCursorScreenPos({state.min.x, state.min.y + height});
    return is_dragged;
}

void move_sheet_by_finger(Display& display, const SheetStops& stops) {
    if (display.is_touch && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) drag_content(display, stops);
}

}  // namespace attn
