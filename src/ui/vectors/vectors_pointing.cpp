// Finds the arrow near the pointer, and its words.
#include "ui/vectors/vectors_pointing.h"

#include <imgui_internal.h>  // whether a key is pressed for its owner

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "ui/frame/pins.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kReach = 9;  // points from an arrow that still point at it

// The distance of a point from the line between two others.
float distance_to(ImVec2 from, ImVec2 to, ImVec2 point) {
    const ImVec2 way = {to.x - from.x, to.y - from.y};
    const float squared = way.x * way.x + way.y * way.y;
    float along = squared > 0 ? ((point.x - from.x) * way.x + (point.y - from.y) * way.y) / squared : 0;
    along = std::clamp(along, 0.0F, 1.0F);
    return std::hypot(point.x - from.x - along * way.x, point.y - from.y - along * way.y);
}

// "queries and keys, query brush, key portrait, moved by the arrows"
std::string words_of_drawing(const VectorsPicture& picture, std::string_view what, bool has_arrows) {
    const Evaluation& evaluation = picture.frame.evaluation;
    const VectorChoice& choice = picture.plane.choice;
    return concat(what, ", query ", token_text(evaluation, choice.query), choice.key ? ", key " : "",
                  choice.key ? token_text(evaluation, *choice.key) : std::string(),
                  has_arrows ? ", moved by the arrows" : ": press Enter, then choose with the arrow keys");
}

// The distance to the drawing under the heading: a line of each size, and the gaps around them.
constexpr float kHeading = kTextSize + 1 + kSmallSize + 6;

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

void move_with_arrow_keys(const VectorsPicture& picture, const std::string& name, const ItemState& state,
                          std::string_view what) {
    const bool has_arrows = takes_arrows(picture.frame, name, state.is_focused);
    if (state.is_focused) call_item(picture.frame, state, words_of_drawing(picture, what, has_arrows));
    if (!has_arrows) return;
    const ImGuiID id = ImGui::GetItemID();
    const int last = static_cast<int>(picture.plane.measures.size()) - 1;
    const VectorChoice& choice = picture.plane.choice;
    const auto moved = [&](ImGuiKey key) { return ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, id); };
    if (moved(ImGuiKey_LeftArrow)) choose_query(picture, std::max(choice.query - 1, 0));
    if (moved(ImGuiKey_RightArrow)) choose_query(picture, std::min(choice.query + 1, last));
    const int key = choice.key.value_or(choice.query);
    if (moved(ImGuiKey_UpArrow)) choose_key(picture, std::max(key - 1, 0));
    if (moved(ImGuiKey_DownArrow)) choose_key(picture, std::min(key + 1, last));
}

VectorsKey vectors_key(const VectorsPicture& picture, ImVec2 size) {
    const Shown& shown = picture.frame;
    return {.version = shown.version,
            .choice = picture.plane.choice,
            .axes = shown.state.view.plane,
            .layout = {.width = static_cast<double>(size.x),
                       .height = static_cast<double>(size.y - kHeading),
                       .has_values = picture.shows_values,
                       .shown_key = picture.shown_key(),
                       .pointed_token = picture.pointed_token}};
}

std::vector<Target> draw_with_targets(const VectorsPicture& picture, const FigureBlock& scene, ImVec2 corner) {
    Canvas& canvas = picture.frame;
    draw_shapes(canvas.fonts, scene, corner);
    std::vector<Target> targets;
    for (const ScenePlace& place : scene.places) {
        const FigureBox& box = place.box;
        const ImVec2 from = {corner.x + static_cast<float>(box.left), corner.y + static_cast<float>(box.top)};
        const ImVec2 to = {corner.x + static_cast<float>(box.right), corner.y + static_cast<float>(box.bottom)};
        const bool is_link = place.name.starts_with("link=");
        // Tests look for the tips of arrows, and for the middles of links, where their labels are.
        const ImVec2 at = is_link ? ImVec2((from.x + to.x) / 2, (from.y + to.y) / 2) : to;
        canvas.items.push_back({.name = place.name, .id = 0, .min = at, .max = at, .is_clipped = false});
        const bool is_key = place.name.starts_with("key arrow=");
        const bool is_query = place.name.starts_with("query arrow=") && place.index != picture.plane.choice.query;
        if (is_link) targets.push_back({Target::Kind::link, place.index, from, to});
        if (is_key) targets.push_back({Target::Kind::key, place.index, from, to});
        if (is_query) targets.push_back({Target::Kind::query, place.index, from, to});
    }
    return targets;
}

void put_readout(const Look& look, std::string_view title, std::string_view first, std::string_view second) {
    if (look.is_touch) return;
    constexpr float kAround = 16;  // the arrows' ends are no cells: the pointer stands for them
    const ImVec2 at = ImGui::GetMousePos();
    if (begin_tip({{at.x - kAround, at.y - kAround}, {at.x + kAround, at.y + kAround}})) {
        put_text(bold(look), shortened(bold(look), title, 320));
        if (!first.empty()) put_text(mono(look), first);
        if (!second.empty()) put_text(mono(look), second);
        end_tip();
    }
}

}  // namespace attn
