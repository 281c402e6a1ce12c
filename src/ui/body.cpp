#include "ui/body.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/check.h"
#include "ui/layout.h"
#include "ui/lesson_menu.h"
#include "ui/lesson_panel.h"
#include "ui/progress.h"
#include "ui/share.h"
#include "ui/touch.h"
#include "ui/undo.h"
#include "ui/views.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kShortestBody = 260;  // a lower canvas scrolls
constexpr const char* kDrawer = "settings drawer";

// A child window on the panel's colour.
void begin_panel(const UiFrame& frame, const char* id, ImVec2 size, ImVec2 padding) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    fill_box(corner, {corner.x + size.x, corner.y + size.y}, frame.palette.panel, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::BeginChild(id, size, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
}

void end_panel(const UiFrame& frame) {
    scroll_by_finger(frame);
    ImGui::EndChild();
}

void draw_divider(const UiFrame& frame, ImVec2 from, ImVec2 to) {
    ImGui::GetWindowDrawList()->AddLine(from, to, frame.palette.line);
}

// The views; at the right end the check, the lessons, the way out and, on narrow canvases, the way to the settings.
void draw_view_bar(UiFrame& frame) {
    constexpr float kNarrowest = 310;  // the smallest phones
    const float gap = ImGui::GetContentRegionAvail().x < kNarrowest ? 3 : 8;
    const bool has_settings = frame.layout != LayoutKind::wide && shows_part(frame, "settings");
    const bool has_lessons = shows_part(frame, "lessons");
    const float side = control_height(frame) + 4;
    const float settings = has_settings ? side + gap : 0;
    const float lessons = has_lessons ? lesson_button_width(frame) + gap : 0;
    const bool has_share = shows_part(frame, "share");
    const float share = has_share ? share_button_width(frame) + gap : 0;
    const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    // A phone has them beside the settings' edits, and in the editor.
    if (frame.layout != LayoutKind::phone && shows_part(frame, "undo")) {
        put_undo_buttons(frame);
        ImGui::SameLine(0, gap);
    }
    if (frame.evaluation.num_tokens() > 0 && shows_part(frame, "views")) {
        const bool has_check = shows_part(frame, "check");
        const float check = has_check ? check_button_width(frame) + gap : 0;
        put_view_tabs(frame, ImGui::GetContentRegionAvail().x - settings - share - lessons - check);
        ImGui::SameLine();
        ImGui::SetCursorPosX(right - settings - share - lessons - check + gap);
        if (has_check) put_check_button(frame);
        if (has_settings || has_share || has_lessons) ImGui::SameLine();
    }
    if (has_lessons) {
        ImGui::SetCursorPosX(right - settings - share - lessons + gap);
        put_lesson_button(frame);
        if (has_settings || has_share) ImGui::SameLine();
    }
    if (has_share) {
        ImGui::SetCursorPosX(right - settings - share + gap);
        put_share_button(frame);
        if (has_settings) ImGui::SameLine();
    }
    if (has_settings) {
        ImGui::SetCursorPosX(right - side);
        if (icon_button(frame, "settings", Icon::settings, "Settings")) ImGui::OpenPopup(kDrawer);
    }
}

// The settings over the picture. ImGui closes it by Escape, we by a click beside it.
void draw_drawer(UiFrame& frame) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(display);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 0.0F);
    ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, 0.0F);
    ImGui::PushStyleColor(ImGuiCol_PopupBg, IM_COL32(0, 0, 0, frame.palette.is_dark ? 130 : 70));
    const bool is_open = ImGui::BeginPopup(
        kDrawer, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
    if (!is_open) return;
    const float width = std::min(300.0F, display.x - 44);
    begin_panel(frame, "drawer", {width, display.y}, {0, 0});
    const float bar = control_height(frame) + 20;
    ImGui::SetCursorPos({14, (bar - kTitleSize) / 2});
    put_text({frame.fonts.sans_bold, kTitleSize, frame.palette.ink}, "Settings");
    const float side = control_height(frame) + 4;
    ImGui::SetCursorPos({width - side - 10, (bar - side) / 2});
    bool closes = icon_button(frame, "settings=close", Icon::close, "Close");
    ImGui::SetCursorPos({0, bar});
    draw_settings(frame);
    end_panel(frame);
    ImGui::SetCursorPos({width, 0});
    closes = ImGui::InvisibleButton("beside the drawer", {display.x - width, display.y}) || closes;
    if (closes || frame.layout == LayoutKind::wide) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

void draw_picture(UiFrame& frame, ImVec2 size) {
    const bool is_phone = frame.layout == LayoutKind::phone;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(is_phone ? 12 : 14, is_phone ? 6 : 10));
    ImGui::BeginChild("picture", size, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    if (shows_part(frame, "notes")) draw_notes(frame);
    draw_view_bar(frame);
    draw_drawer(frame);
    if (frame.evaluation.num_tokens() == 0) {
        draw_empty(frame);
    } else if (can_draw_view(frame)) {
        draw_view(frame);
        draw_progress_strip(frame, ImGui::GetWindowPos(), ImGui::GetWindowSize());
    } else {
        draw_progress_page(frame);
    }
    ImGui::EndChild();
}

void draw_explanation(UiFrame& frame) {
    frame.evaluator.is_complete() ? draw_inspector(frame) : put_progress_sentence(frame);
}

// The picture, and under it the lesson that is on.
void draw_picture_column(UiFrame& frame, ImVec2 size) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float lesson = lesson_panel_height(frame, size);
    draw_picture(frame, {size.x, size.y - lesson});
    ImGui::SetCursorScreenPos({corner.x, corner.y + size.y - lesson});
    if (lesson > 0) draw_lesson_panel(frame, {size.x, lesson});
}

// The grip of the sheet: a tap opens or closes it, a drag does so by its direction.
void draw_grip(UiFrame& frame, float width) {
    constexpr float kHeight = 22;
    constexpr float kDrag = 16;
    bool& is_open = frame.memory.is_sheet_open;
    const float height = frame.surroundings.is_touch ? 40 : kHeight;
    // For a finger it reaches down over the sheet's heading, which is not to be pressed itself.
    const ItemState state = item(frame, "inspector", {width, height});
    const float dragged = state.is_held ? ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0).y : 0;
    if (dragged < -kDrag) is_open = true;
    if (dragged > kDrag) is_open = false;
    if (state.is_pressed && std::abs(ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0).y) < kDrag) is_open = !is_open;
    const ImVec2 center = {state.center().x, state.min.y + 10};
    fill_box({center.x - 20, center.y - 2}, {center.x + 20, center.y + 2},
             state.is_hovered ? frame.palette.soft_ink : mix(frame.palette.line, frame.palette.soft_ink, 0.3F), 2);
    ImGui::SetCursorScreenPos({state.min.x, state.min.y + kHeight});
}

void draw_sheet(UiFrame& frame, ImVec2 corner, ImVec2 size) {
    constexpr float kCorner = 14;
    ImGui::SetCursorScreenPos(corner);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("sheet", size, ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, frame.palette.panel, kCorner,
                       ImDrawFlags_RoundCornersTop);
    list.AddRect(corner, {corner.x + size.x, corner.y + size.y + 2}, frame.palette.line, kCorner,
                 ImDrawFlags_RoundCornersTop);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    draw_grip(frame, size.x);
    ImGui::PopStyleVar();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(16, 0));
    ImGui::BeginChild(
        "inspector", {size.x, 0}, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding,
        frame.memory.is_sheet_open ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    draw_explanation(frame);
    end_panel(frame);
    ImGui::EndChild();
}

void draw_stacked(UiFrame& frame, ImVec2 corner, ImVec2 size) {
    const bool has_sheet = has_inspector(frame) && frame.evaluation.num_tokens() > 0;
    const float closed = has_sheet ? sheet_height(frame, size.y, false) : 0;
    draw_picture_column(frame, {size.x, size.y - closed});
    if (!has_sheet) return;
    const float height = sheet_height(frame, size.y, frame.memory.is_sheet_open);
    draw_sheet(frame, {corner.x, corner.y + size.y - height}, {size.x, height});
}

void draw_columns(UiFrame& frame, ImVec2 corner, ImVec2 size) {
    Columns columns = columns_of(frame, size.x);
    if (frame.evaluation.num_tokens() == 0) {
        columns.heads += columns.inspector;
        columns.inspector = 0;
    }
    draw_divider(frame, corner, {corner.x + size.x, corner.y});
    if (columns.settings > 0) {
        begin_panel(frame, "settings column", {columns.settings, size.y}, {0, 0});
        draw_settings(frame);
        end_panel(frame);
        const float x = corner.x + columns.settings - 1;
        draw_divider(frame, {x, corner.y}, {x, corner.y + size.y});
    }
    ImGui::SetCursorScreenPos({corner.x + columns.settings, corner.y + 1});
    draw_picture_column(frame, {columns.heads, size.y - 1});
    if (columns.inspector > 0) {
        const float x = corner.x + columns.settings + columns.heads;
        ImGui::SetCursorScreenPos({x, corner.y + 1});
        begin_panel(frame, "inspector", {columns.inspector, size.y - 1}, {14, 12});
        draw_explanation(frame);
        end_panel(frame);
        draw_divider(frame, {x, corner.y}, {x, corner.y + size.y});
    }
}

}  // namespace

void draw_body(UiFrame& frame) {
    const ImVec2 corner = {ImGui::GetWindowPos().x, ImGui::GetCursorScreenPos().y};
    ImGui::SetCursorScreenPos(corner);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 size = {room.x, std::max(room.y, kShortestBody)};
    if (frame.layout == LayoutKind::phone) {
        draw_stacked(frame, corner, size);
    } else {
        draw_columns(frame, corner, size);
    }
}

}  // namespace attn
