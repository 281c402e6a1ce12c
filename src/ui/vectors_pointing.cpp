// See the header.
#include "ui/vectors_pointing.h"

#include <imgui_internal.h>  // key ownership: the arrow keys belong to the drawing that has the focus

#include <algorithm>

#include "ui/pins.h"
#include "ui/plane_box.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kReach = 9;  // points from an arrow that still point at it
constexpr float kWidestLabel = 96;

}  // namespace

std::optional<Target> target_at(const std::vector<Target>& targets, ImVec2 point) {
    std::optional<Target> nearest;
    float least = kReach;
    for (const Target& target : targets) {
        const float inner = target.kind == Target::Kind::link ? 0.0F : 0.35F;
        const ImVec2 from = {target.from.x + (target.to.x - target.from.x) * inner,
                             target.from.y + (target.to.y - target.from.y) * inner};
        const float distance = distance_to(from, target.to, point);
        if (distance > least) continue;
        least = distance;
        nearest = target;
    }
    return nearest;
}

void move_with_arrow_keys(const VectorsPicture& picture) {
    if (!ImGui::IsItemFocused() || !ImGui::GetCurrentContext()->NavCursorVisible) return;
    const ImGuiID id = ImGui::GetItemID();
    const int last = static_cast<int>(picture.plane.measures.size()) - 1;
    const VectorChoice& choice = picture.plane.choice;
    const auto moved = [&](ImGuiKey key) {
        ImGui::SetKeyOwner(key, id);
        return ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, id);
    };
    if (moved(ImGuiKey_LeftArrow)) choose_query(picture, std::max(choice.query - 1, 0));
    if (moved(ImGuiKey_RightArrow)) choose_query(picture, std::min(choice.query + 1, last));
    const int key = choice.key.value_or(choice.query);
    if (moved(ImGuiKey_UpArrow)) choose_key(picture, std::max(key - 1, 0));
    if (moved(ImGuiKey_DownArrow)) choose_key(picture, std::min(key + 1, last));
}

std::string label_of(const VectorsPicture& picture, const TextStyle& style, int token) {
    return shortened(style, token_text(picture.frame.evaluation, token), kWidestLabel);
}

ImU32 label_ground(const UiFrame& frame) {
    return (frame.palette.panel & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 190);
}

void record_tip(const VectorsPicture& picture, const std::string& name, ImVec2 tip) {
    picture.frame.items.push_back({.name = name, .id = 0, .min = tip, .max = tip, .is_clipped = false});
}

void put_readout(const UiFrame& frame, std::string_view title, std::string_view first, std::string_view second) {
    if (frame.surroundings.is_touch) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(12, 8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, kRounding);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 2));
    if (ImGui::BeginTooltip()) {
        put_text(bold(frame), shortened(bold(frame), title, 320));
        if (!first.empty()) put_text(mono(frame), first);
        if (!second.empty()) put_text(mono(frame), second);
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar(3);
}

float put_panel_heading(const VectorsPicture& picture, ImVec2 corner, float width, std::string_view title,
                        const std::string& words) {
    const UiFrame& frame = picture.frame;
    draw_text(corner, bold(frame), title);
    const TextStyle style = small(frame);
    draw_text({corner.x, corner.y + kTextSize + 2}, style, shortened(style, words, width));
    return corner.y + kTextSize + kSmallSize + 6;
}

}  // namespace attn
