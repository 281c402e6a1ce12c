#include "ui/fields.h"

#include <misc/cpp/imgui_stdlib.h>

#include "core/check.h"
#include "ui/widgets.h"

namespace attn {

bool text_field(UiFrame& frame, const std::string& name, std::string& text, float width, std::string_view hint) {
    const std::string id = concat("##", name);
    const std::string shown_hint = drawable(hint);
    ImGui::PushFont(frame.fonts.sans, kTitleSize);
    const float padding = (control_height(frame) + 8 - kTitleSize) / 2;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(12, padding));
    ImGui::SetNextItemWidth(width);
    const bool is_changed = ImGui::InputTextWithHint(id.c_str(), shown_hint.c_str(), &text);
    record_item(frame, name);
    if (ImGui::IsItemActive()) {
        frame_box(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), frame.palette.accent, 1.5F);
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
    return is_changed;
}

std::optional<std::string> edit_field(UiFrame& frame, const std::string& name, const std::string& value, float width,
                                      float padding) {
    ImGui::PushFont(frame.fonts.sans, kTextSize);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(padding, (control_height(frame) - kTextSize) / 2));
    ImGui::SetNextItemWidth(width);
    std::string text = value;
    ImGui::InputText(concat("##", name).c_str(), &text, ImGuiInputTextFlags_AutoSelectAll);
    record_item(frame, name);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    // ImGui takes Escape back only in a buffer that it wrote to before, and this one is fresh in every frame.
    const bool is_done = ImGui::IsItemDeactivatedAfterEdit() && !ImGui::IsKeyPressed(ImGuiKey_Escape);
    return is_done && text != value ? std::optional(text) : std::nullopt;
}

}  // namespace attn
