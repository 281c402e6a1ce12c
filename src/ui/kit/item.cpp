// Every widget is an invisible ImGui item that is recorded, can be pressed, and can have the keyboard's focus.
#include "ui/kit/item.h"

#include <imgui_internal.h>  // the clip rectangle of the current window

#include <algorithm>
#include <utility>
#include <vector>

namespace attn {
namespace {

// Not inlined: it comes with the second part of the page.
[[gnu::noinline]] void note_focus(Canvas& canvas, const std::string& name, const ItemState& state) {
    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    canvas.widgets.focus = {.is_visible = true,
                            .name = name,
                            .label = {},
                            .min = state.min,
                            .max = state.max,
                            .clip_min = clip.Min,
                            .clip_max = clip.Max};
}

}  // namespace

void record_item(Canvas& canvas, const std::string& name) {
    UiItem entry{
        .name = name, .id = ImGui::GetItemID(), .min = ImGui::GetItemRectMin(), .max = ImGui::GetItemRectMax()};
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
