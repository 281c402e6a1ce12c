#include "ui/undo.h"

#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kGap = 4;

}  // namespace

float undo_buttons_width(const UiFrame& frame) {
    return 2 * (control_height(frame) + 4) + kGap;
}

void put_undo_buttons(UiFrame& frame) {
    Session& session = frame.session;
    const bool is_mac = ImGui::GetIO().ConfigMacOSXBehaviors;
    if (icon_button(frame, "undo", Icon::undo, is_mac ? "Undo (⌘Z)" : "Undo (Ctrl+Z)", session.can_undo())) {
        session.undo();
    }
    ImGui::SameLine(0, kGap);
    if (icon_button(frame, "redo", Icon::redo, is_mac ? "Redo (⇧⌘Z)" : "Redo (Ctrl+Shift+Z)", session.can_redo())) {
        session.redo();
    }
}

void take_undo_keys(UiFrame& frame) {
    constexpr ImGuiInputFlags kAnywhere = ImGuiInputFlags_Repeat | ImGuiInputFlags_RouteGlobal;
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Z, kAnywhere)) frame.session.undo();
    const bool redoes = ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z, kAnywhere);
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Y, kAnywhere) || redoes) frame.session.redo();
}

}  // namespace attn
