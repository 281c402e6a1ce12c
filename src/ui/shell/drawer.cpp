#include "ui/shell/drawer.h"

#include <algorithm>
#include <utility>

#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/settings/finding.h"
#include "ui/settings/settings.h"

namespace attn {
namespace {

constexpr const char* kDrawer = "settings drawer";

}  // namespace

void begin_panel(const Look& look, const char* id, ImVec2 size, ImVec2 padding) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    fill_box(corner, {corner.x + size.x, corner.y + size.y}, look.palette.panel, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::BeginChild(id, size, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
}

void end_panel(const Canvas& canvas) {
    scroll_by_finger(canvas);
    ImGui::EndChild();
}

void open_drawer() {
    ImGui::OpenPopup(kDrawer);
}

void draw_drawer(UiFrame& frame) {
    if (std::exchange(find_memory(frame.memory).wants_drawer, false)) open_drawer();
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
    ImGui::SetCursorPos({display.x - width, 0});  // the button is at the right edge, too
    begin_panel(frame, "drawer", {width, display.y}, {0, 0});
    const float bar = control_height(frame) + 20;
    ImGui::SetCursorPos({14, (bar - kTitleSize) / 2});
    put_text({frame.fonts.sans_bold, kTitleSize, frame.palette.ink}, "Settings");
    const float side = control_height(frame) + 4;
    ImGui::SetCursorPos({width - side - 10, (bar - side) / 2});
    bool closes = icon_button(frame, "settings=close", Icon::close, "Close");
    call_last_item(frame, "Close the settings");
    ImGui::SetCursorPos({0, bar});
    draw_settings(frame);
    end_panel(frame);
    ImGui::SetCursorPos({0, 0});
    closes = ImGui::InvisibleButton("beside the drawer", {display.x - width, display.y}) || closes;
    if (closes || frame.layout == LayoutKind::wide) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

}  // namespace attn
