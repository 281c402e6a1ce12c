// Every widget is an invisible ImGui item that is recorded, can be pressed, and can have the keyboard's focus.
#include "ui/kit/item.h"

#include <imgui_internal.h>  // the clip rectangle of the current window, and who owns a key

#include <algorithm>
#include <utility>
#include <vector>

namespace attn {
namespace {

// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void note_focus(Canvas& canvas, const std::string& name, const ItemState& state) {
    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    canvas.widgets.focus = {.is_visible = true,
                            .name = name,
                            .words = {},
                            .label = {},
                            .value = {},
                            .min = state.min,
                            .max = state.max,
                            .clip_min = clip.Min,
                            .clip_max = clip.Max};
}

}  // namespace

void record_item(Canvas& canvas, const std::string& name) {
    UiItem entry{
        .name = name, .id = ImGui::GetItemID(), .min = ImGui::GetItemRectMin(), .max = ImGui::GetItemRectMax()};
    const ImGuiItemFlags flags = ImGui::GetItemFlags();
    entry.takes_focus = entry.id != 0 && (flags & ImGuiItemFlags_NoNav) == 0 && (flags & ImGuiItemFlags_Disabled) == 0;
    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    // Half a point of leeway: scroll positions and clip rectangles are rounded differently.
    entry.is_clipped = entry.min.x < clip.Min.x - 0.5F || entry.min.y < clip.Min.y - 0.5F ||
                       entry.max.x > clip.Max.x + 0.5F || entry.max.y > clip.Max.y + 0.5F;
    const std::vector<std::string>& wanted = canvas.widgets.scroll_to;
    if (entry.is_clipped && std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
        ImGui::SetScrollHereX();
        ImGui::SetScrollHereY();
    }
    canvas.items.push_back(std::move(entry));
}

ItemState item(Canvas& canvas, const std::string& name, ImVec2 size, bool is_enabled) {
    ImGui::BeginDisabled(!is_enabled);
    ItemState state;
    // ImGui's own focus ring would lie under what is drawn next, and reach into the neighbours.
    ImGui::PushStyleColor(ImGuiCol_NavCursor, IM_COL32_BLACK_TRANS);
    state.is_pressed = ImGui::InvisibleButton(name.c_str(), {std::max(size.x, 1.0F), std::max(size.y, 1.0F)},
                                              ImGuiButtonFlags_EnableNav);
    ImGui::PopStyleColor();
    // ImGui lets Enter press what is disabled.
    state.is_pressed = state.is_pressed && (ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) == 0;
    state.is_hovered = ImGui::IsItemHovered();
    state.is_held = ImGui::IsItemActive();
    state.min = ImGui::GetItemRectMin();
    state.max = ImGui::GetItemRectMax();
    record_item(canvas, name);
    state.is_focused = ImGui::IsItemFocused() && ImGui::GetCurrentContext()->NavCursorVisible;
    if (state.is_focused) note_focus(canvas, name, state);
    if (state.is_hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImGui::EndDisabled();
    return state;
}

// Not inlined, as above.
[[gnu::noinline]] void call_item(Canvas& canvas, const ItemState& state, std::string_view words) {
    if (state.is_focused) canvas.widgets.focus.words = words;
}

void call_last_item(Canvas& canvas, std::string_view words) {
    if (!ImGui::IsItemFocused() || !ImGui::GetCurrentContext()->NavCursorVisible) return;
    canvas.widgets.focus.words = words;
}

// Not inlined, as above.
[[gnu::noinline]] bool takes_arrows(Canvas& canvas, const std::string& name, bool is_focused, bool is_upright_too) {
    std::string& held = canvas.widgets.held_item;
    if (!is_focused && held == name) held.clear();
    if (!is_focused) return false;
    const ImGuiID id = ImGui::GetItemID();
    for (const ImGuiKey key : {ImGuiKey_Enter, ImGuiKey_KeypadEnter}) {
        if (ImGui::IsKeyPressed(key, false)) held = held == name ? std::string() : name;
    }
    if (held != name) return false;
    for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Escape}) ImGui::SetKeyOwner(key, id);
    for (const ImGuiKey key : {ImGuiKey_UpArrow, ImGuiKey_DownArrow}) {
        if (is_upright_too) ImGui::SetKeyOwner(key, id);
    }
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, ImGuiInputFlags_None, id)) held.clear();
    return held == name;
}

void draw_focus_ring(Canvas& canvas) {
    constexpr float kDistance = 2;
    FocusRing& ring = canvas.widgets.focus;
    if (ring.is_visible) {
        ImDrawList& front = *ImGui::GetForegroundDrawList();
        front.PushClipRect({ring.clip_min.x - kDistance, ring.clip_min.y - kDistance},
                           {ring.clip_max.x + kDistance, ring.clip_max.y + kDistance});
        front.AddRect({ring.min.x - kDistance, ring.min.y - kDistance},
                      {ring.max.x + kDistance, ring.max.y + kDistance}, canvas.palette.accent, kRounding + kDistance, 0,
                      2);
        front.PopClipRect();
    }
    ring.is_visible = false;
}

}  // namespace attn
