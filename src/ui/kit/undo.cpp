// Draws the undo and redo buttons, and takes their keys.
#include "ui/kit/undo.h"

#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kGap = 4;

}  // namespace

float undo_buttons_width(const Look& look, int count) {
    return static_cast<float>(count) * (control_height(look) + 4 + kGap) - kGap;
}

void put_undo_button(UiFrame& frame) {
    const bool is_mac = ImGui::GetIO().ConfigMacOSXBehaviors;
    const char* words = is_mac ? "Undo (⌘Z)" : "Undo (Ctrl+Z)";
    if (icon_button(frame, "undo", Icon::undo, words, frame.session.can_undo())) frame.session.undo();
}

void put_redo_button(UiFrame& frame) {
    const bool is_mac = ImGui::GetIO().ConfigMacOSXBehaviors;
    const char* words = is_mac ? "Redo (⇧⌘Z)" : "Redo (Ctrl+Shift+Z)";
    if (icon_button(frame, "redo", Icon::redo, words, frame.session.can_redo())) frame.session.redo();
}

void put_undo_buttons(UiFrame& frame) {
    put_undo_button(frame);
    ImGui::SameLine(0, kGap);
    put_redo_button(frame);
}

void take_undo_keys(UiFrame& frame) {
    constexpr ImGuiInputFlags kAnywhere = ImGuiInputFlags_Repeat | ImGuiInputFlags_RouteGlobal;
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Z, kAnywhere)) frame.session.undo();
    const bool redoes = ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z, kAnywhere);
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Y, kAnywhere) || redoes) frame.session.redo();
}

}  // namespace attn
