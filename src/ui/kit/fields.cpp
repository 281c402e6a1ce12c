// ImGui text fields for text of any script, with their words for screen readers.
#include "ui/kit/fields.h"

#include <imgui_internal.h>  // which item is active, before it is drawn
#include <misc/cpp/imgui_stdlib.h>

#include "core/ground/check.h"
#include "scene/kit/figure_text.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

// During typing ImGui draws a field's characters one by one from the left. At rest, the platform's text engine draws
// the whole text over it if the text needs it: joined, and from right to left if the script runs that way.
void draw_text_at_rest(const Look& look, std::string_view text) {
    const ImVec2 min = {ImGui::GetItemRectMin().x + 12, ImGui::GetItemRectMin().y};
    const ImVec2 max = {ImGui::GetItemRectMax().x - 12, ImGui::GetItemRectMax().y};
    ImGui::PushClipRect(min, max, true);
    draw_text_in(min, max, {is_right_to_left(text) ? 1.0F : 0.0F, 0.5F},
                 {look.fonts.sans, kTitleSize, look.palette.ink}, text);
    ImGui::PopClipRect();
}

}  // namespace

[[gnu::noinline]] void focus_next_field(const char* label) {
    // Another item that has the focus would take it back where it is drawn later.
    ImGuiID& focused = ImGui::GetCurrentContext()->NavId;
    if (focused != ImGui::GetID(label)) focused = 0;
    ImGui::SetKeyboardFocusHere();
}

// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void note_field(Canvas& canvas, const std::string& name, std::string_view label,
                                  std::string_view text) {
    const bool is_reached = ImGui::IsItemFocused() && ImGui::GetCurrentContext()->NavCursorVisible;
    if (!is_reached && !ImGui::IsItemActive()) return;
    FocusRing& focus = canvas.widgets.focus;
    if (focus.field != name || focus.label != label) focus.field_text = text;
    focus.name = focus.field = name;
    focus.label = label;
    focus.min = ImGui::GetItemRectMin();
    focus.max = ImGui::GetItemRectMax();
    focus.words.clear();
    focus.value.clear();
}

bool text_field(Canvas& canvas, const std::string& name, std::string& text, float width, std::string_view hint) {
    const std::string id = concat("##", name);
    const std::string shown_hint = drawable(hint);
    ImGui::PushFont(canvas.fonts.sans, kTitleSize);
    const float padding = (control_height(canvas) + 8 - kTitleSize) / 2;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(12, padding));
    ImGui::SetNextItemWidth(width);
    const bool is_typed_in = ImGui::GetActiveID() == ImGui::GetID(id.c_str());
    const bool is_at_rest = !is_typed_in && drawable(text) != text;
    if (is_at_rest) ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32_BLACK_TRANS);
    const bool is_changed = ImGui::InputTextWithHint(id.c_str(), shown_hint.c_str(), &text);
    if (is_at_rest) ImGui::PopStyleColor();
    record_item(canvas, name);
    note_field(canvas, name, hint, text);
    if (is_at_rest) draw_text_at_rest(canvas, text);
    if (ImGui::IsItemActive()) {
        frame_box(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), canvas.palette.accent, 1.5F);
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
    return is_changed;
}

std::optional<std::string> edit_field(Canvas& canvas, const std::string& name, const std::string& value, float width,
                                      float padding) {
    ImGui::PushFont(canvas.fonts.sans, kTextSize);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(padding, (control_height(canvas) - kTextSize) / 2));
    ImGui::SetNextItemWidth(width);
    std::string text = value;
    ImGui::InputText(concat("##", name).c_str(), &text, ImGuiInputTextFlags_AutoSelectAll);
    record_item(canvas, name);
    note_field(canvas, name, {}, value);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    // On Escape ImGui restores only a buffer that it wrote to before, and this one is new in every frame.
    const bool is_done = ImGui::IsItemDeactivatedAfterEdit() && !ImGui::IsKeyPressed(ImGuiKey_Escape);
    return is_done && text != value ? std::optional(text) : std::nullopt;
}

}  // namespace attn
