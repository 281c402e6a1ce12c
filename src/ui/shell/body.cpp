// Puts settings, picture, lesson and explanation into columns, a drawer, or a sheet.
#include "ui/shell/body.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/welcome.h"
#include "ui/settings/settings.h"
#include "ui/shell/panels.h"

#include <imgui.h>
#include <imgui_internal.h>  // where the keyboard's focus is, and items that the arrow keys pass over

#include <algorithm>

#include "ui/frame/layout.h"
#include "ui/kit/undo.h"
#include "ui/kit/widgets.h"
#include "ui/learn/playing.h"
#include "ui/learn/train_bar.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/shell/drawer.h"
#include "ui/shell/progress.h"
#include "ui/shell/sheet.h"
#include "ui/shell/view_bar.h"

namespace attn {
namespace {

constexpr float kShortestBody = 240;  // a lower canvas scrolls
constexpr float kSheetMargin = 16;

void draw_divider(const Look& look, ImVec2 from, ImVec2 to) {
    ImGui::GetWindowDrawList()->AddLine(from, to, look.palette.line);
}

void draw_picture(UiFrame& frame, ImVec2 size) {
    const bool is_phone = frame.layout == LayoutKind::phone;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(is_phone ? 12 : 14, is_phone ? 6 : 10));
    ImGui::BeginChild("picture", size, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    if (frame.surroundings.read_share) draw_reading(frame);
    if (shows_part(frame, "notes")) draw_notes(frame);
    if (!lesson_takes_buttons(frame) && !shows_door(frame)) draw_view_bar(frame);
    draw_drawer(frame);
    if (!frame.is_folded && shows_welcome(frame)) put_welcome(frame);
    if (frame.evaluation.num_tokens() == 0) {
        draw_empty(frame);
    } else if (can_draw_view(frame)) {
        draw_view(frame);
        draw_progress_strip(frame, ImGui::GetWindowPos(), ImGui::GetWindowSize());
    } else {
        draw_progress_page(frame);
    }
    ImGui::Dummy({0, 0});  // ImGui stops the program if nothing is drawn after the cursor was set by hand
    ImGui::EndChild();
}

void draw_explanation(UiFrame& frame) {
    frame.evaluator.is_complete() ? draw_inspector(frame) : put_progress_sentence(frame);
}

// Whether the training bar stands above the inspector: a low canvas has no room for it under the picture.
bool has_training_beside(const Display& display) {
    return display.layout != LayoutKind::phone && display.is_folded && has_inspector(display);
}

// The picture, and under it the training bar if there is something to learn.
void draw_picture_and_training(UiFrame& frame, ImVec2 size) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float training = has_training_beside(frame) ? 0 : train_bar_height(frame, size);
    draw_picture(frame, {size.x, size.y - training});
    if (training == 0) return;
    ImGui::SetCursorScreenPos({corner.x, corner.y + size.y - training});
    draw_train_bar(frame, {size.x, training});
}

// The picture, and under it the open lesson, unless the lesson stands beside it.
void draw_picture_column(UiFrame& frame, ImVec2 size) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float lesson = has_lesson_beside(frame) ? 0 : lesson_panel_height(frame, size);
    draw_picture_and_training(frame, {size.x, size.y - lesson});
    ImGui::SetCursorScreenPos({corner.x, corner.y + size.y - lesson});
    if (lesson > 0) draw_lesson_panel(frame, {size.x, lesson});
}

// Which way the sheet (the current window) would follow a finger on it.
// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void tell_what_follows(SheetMemory& sheet) {
    const bool is_touched =
        ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    sheet.follows_up = is_touched && sheet.stop != SheetStop::open;
    sheet.follows_down = is_touched && sheet.stop != SheetStop::closed;
}

void draw_sheet(UiFrame& frame, const SheetStops& stops, ImVec2 corner, ImVec2 size) {
    constexpr float kCorner = 14;
    SheetMemory& sheet = frame.memory.sheet;
    ImGui::SetCursorScreenPos(corner);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("sheet", size, ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    if (frame.is_touch && ImGui::IsMousePosValid()) tell_what_follows(sheet);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, frame.palette.panel, kCorner,
                       ImDrawFlags_RoundCornersTop);
    list.AddRect(corner, {corner.x + size.x, corner.y + size.y + 2}, frame.palette.line, kCorner,
                 ImDrawFlags_RoundCornersTop);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    const bool is_gripped = put_grip(frame, stops, size.x);
    ImGui::PopStyleVar();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kSheetMargin, 0));
    const bool is_closed = sheet.stop == SheetStop::closed && !sheet.edge;
    if (is_closed) ImGui::SetNextWindowScroll({0, 0});  // shows its head
    ImGui::BeginChild("inspector", {size.x, 0}, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding,
                      is_closed ? ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse : 0);
    ImGui::PopStyleVar();
    ImGui::PushItemFlag(ImGuiItemFlags_NoNav, is_closed);  // the keyboard's focus would go where nobody sees it
    draw_explanation(frame);
    ImGui::PopItemFlag();
    if (!is_gripped) move_sheet_by_finger(frame, stops);
    ImGui::EndChild();
    ImGui::EndChild();
}

constexpr float kAroundUndo = 6;

// A strip below the picture for undo and redo where no sheet carries them.
float undo_strip_height(const UiFrame& frame) {
    return control_height(frame) + 4 + 2 * kAroundUndo;
}

// Only usable ones show. Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void draw_undo_strip(UiFrame& frame, ImVec2 corner) {
    const bool has_both = frame.session.can_undo() && frame.session.can_redo();
    const ImVec2 size = {undo_buttons_width(frame, has_both ? 2 : 1), control_height(frame) + 4};
    const ImVec2 place = {corner.x - kAroundUndo - size.x, corner.y - kAroundUndo - size.y};
    ImGui::SetCursorScreenPos(place);
    ImGui::BeginChild("undo strip", size, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoScrollbar);
    if (frame.session.can_undo()) put_undo_button(frame);
    if (has_both) ImGui::SameLine(0, undo_buttons_width(frame, 2) - 2 * undo_buttons_width(frame, 1));
    if (frame.session.can_redo()) put_redo_button(frame);
    ImGui::EndChild();
}

// Closed, the sheet lies on the lesson but leaves its buttons free; open, it covers the lesson and leaves the buttons
// above the picture free.
SheetStops stops_of(const Look& look, float body, float closed, float lesson) {
    constexpr float kHalf = 0.55F;
    constexpr float kLeast = 60;  // between two stops
    const float buttons = control_height(look) + 20;
    SheetStops stops;
    stops.closed = closed + lesson;
    stops.half = std::max(body * kHalf, std::min(stops.closed + kLeast, body));
    stops.open = std::max(body - buttons, stops.half);
    return stops;
}

void draw_phone(UiFrame& frame, ImVec2 corner, ImVec2 size) {
    // A lesson's picture and the editor's table need the room of the hint about tapping a cell. The questions of a
    // check need all of it, and the inspector has nothing to say about a blank number.
    const bool asks = !frame.state.view.check.empty() && shows_blank(frame.state);
    const bool has_content =
        !asks && (frame.state.view.cell || (!has_lesson(frame) && frame.state.view.view != ViewKind::edit));
    const bool has_sheet = has_inspector(frame) && frame.evaluation.num_tokens() > 0 && has_content;
    const bool welcomes = !frame.state.view.cell && shows_welcome(frame);
    const float head = welcomes ? wrapped_height(body(frame), welcome_words(frame), size.x - 2 * kSheetMargin) + 10
                                : sheet_head_height(frame);
    const float closed = has_sheet ? grip_height(frame) + head : 0;
    const float lesson = lesson_panel_height(frame, size);
    const bool has_strip = !has_sheet && has_undo(frame) && !asks;
    const float strip = has_strip ? undo_strip_height(frame) : 0;
    draw_picture_and_training(frame, {size.x, size.y - closed - lesson - strip});
    ImGui::SetCursorScreenPos({corner.x, corner.y + size.y - lesson});
    if (lesson > 0) draw_lesson_panel(frame, {size.x, lesson});
    if (!has_sheet) {
        if (has_strip) draw_undo_strip(frame, {corner.x + size.x, corner.y + size.y - lesson});
        return;
    }
    const SheetStops stops = stops_of(frame, size.y, closed, lesson);
    const float edge = sheet_edge(frame, stops);
    // How much of the lesson stays visible.
    const float under =
        lesson * std::clamp((stops.half - edge) / std::max(stops.half - stops.closed, 1.0F), 0.0F, 1.0F);
    draw_sheet(frame, stops, {corner.x, corner.y + size.y - edge}, {size.x, edge - under});
}

// The inspector, and above it the lesson and the bar of training where they stand beside the picture.
void draw_explanation_column(UiFrame& frame, ImVec2 corner, ImVec2 size) {
    const float lesson = has_lesson_beside(frame) ? lesson_panel_height(frame, size) : 0;
    ImGui::SetCursorScreenPos(corner);
    if (lesson > 0) draw_lesson_panel(frame, {size.x, lesson});
    const float training = has_training_beside(frame) ? train_bar_height(frame, size) : 0;
    ImGui::SetCursorScreenPos({corner.x, corner.y + lesson});
    if (training > 0) draw_train_bar(frame, {size.x, training});
    const float top = lesson + training;
    ImGui::SetCursorScreenPos({corner.x, corner.y + top});
    begin_panel(frame, "inspector", {size.x, size.y - top}, {14, 12});
    if (has_inspector(frame)) draw_explanation(frame);
    end_panel(frame);
}

// Up and down go to the item nearest in height, however far to the side. Meanwhile a column is skipped if the focus is
// neither above nor below it.
bool is_passed_over(float left, float right) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const bool is_tab = (g.NavMoveFlags & ImGuiNavMoveFlags_IsTabbing) != 0;
    const bool is_vertical = g.NavMoveDir == ImGuiDir_Up || g.NavMoveDir == ImGuiDir_Down;
    if (!g.NavMoveScoringItems || !is_vertical || is_tab || g.NavWindow == nullptr || g.NavId == 0) return false;
    if (g.NavWindow->RootWindowForNav != ImGui::GetCurrentWindow()->RootWindowForNav) return false;  // in a popup
    const ImRect focus = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[g.NavLayer]);
    return focus.Max.x <= left || focus.Min.x >= right;
}

void begin_column(float left, float width) {
    ImGui::PushItemFlag(ImGuiItemFlags_NoNav, is_passed_over(left, left + width));
}

void end_column() {
    ImGui::PopItemFlag();
}

void draw_columns(UiFrame& frame, ImVec2 corner, ImVec2 size) {
    Columns columns = columns_of(frame, size.x);
    if (frame.evaluation.num_tokens() == 0 && !has_lesson(frame)) {
        columns.heads += columns.inspector;
        columns.inspector = 0;
    }
    draw_divider(frame, corner, {corner.x + size.x, corner.y});
    if (columns.settings > 0) {
        begin_column(corner.x, columns.settings);
        begin_panel(frame, "settings column", {columns.settings, size.y}, {0, 0});
        draw_settings(frame);
        end_panel(frame);
        end_column();
        const float x = corner.x + columns.settings - 1;
        draw_divider(frame, {x, corner.y}, {x, corner.y + size.y});
    }
    ImGui::SetCursorScreenPos({corner.x + columns.settings, corner.y + 1});
    begin_column(corner.x + columns.settings, columns.heads);
    draw_picture_column(frame, {columns.heads, size.y - 1});
    end_column();
    if (columns.inspector > 0) {
        const ImVec2 place = {corner.x + columns.settings + columns.heads, corner.y + 1};
        begin_column(place.x, columns.inspector);
        draw_explanation_column(frame, place, {columns.inspector, size.y - 1});
        end_column();
        draw_divider(frame, {place.x, corner.y}, {place.x, corner.y + size.y});
    }
}

// What plays in a view stops when the view is left.
void stop_what_is_left(UiFrame& frame) {
    PlayClock& clock = frame.memory.clock;
    if (frame.state.view.view == clock.played().view.view) return;
    clock.stop(Playing::cache);
    clock.stop(Playing::split);
    clock.stop(Playing::words);
}

}  // namespace

void draw_body(UiFrame& frame) {
    stop_what_is_left(frame);
    keep_playing(frame);
    const ImVec2 corner = {ImGui::GetWindowPos().x, ImGui::GetCursorScreenPos().y};
    ImGui::SetCursorScreenPos(corner);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 size = {room.x, std::max(room.y, kShortestBody)};
    if (frame.layout == LayoutKind::phone) {
        draw_phone(frame, corner, size);
    } else {
        draw_columns(frame, corner, size);
    }
}

}  // namespace attn
