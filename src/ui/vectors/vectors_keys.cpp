// The first drawing of the vectors view: queries and keys as arrows, and the angle between two of them.
#include <imgui.h>

#include <cmath>
#include <vector>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "scene/kit/figure_text.h"
#include "ui/frame/pins.h"
#include "ui/kit/widgets.h"
#include "ui/vectors/vectors_pointing.h"

namespace attn {
namespace {

void put_key_readout(const VectorsPicture& picture, int key) {
    const Evaluation& evaluation = picture.frame.evaluation;
    const KeyMeasure& measured = picture.plane.measures[static_cast<std::size_t>(key)];
    const std::string title =
        concat(from_to(token_text(evaluation, picture.plane.choice.query), token_text(evaluation, key)),
               measured.is_hidden ? " (masked)" : "");
    const bool has_angle = !std::isnan(measured.degrees);
    picture.shows_values ? put_readout(picture.frame, title, concat("q·k = ", shown_number(measured.dot)),
                                       has_angle ? concat("θ = ", shown_number(measured.degrees, 1), "°") : "no angle")
                         : put_readout(picture.frame, title, {}, {});
}

void point_and_click(const VectorsPicture& picture, const std::vector<Target>& targets, bool is_hovered,
                     bool is_pressed) {
    if (!is_hovered) return;
    const std::optional<Target> target = target_at(targets, ImGui::GetMousePos());
    if (!target) return;
    if (target->kind == Target::Kind::key) {
        point_at_key(picture, target->index);
        put_key_readout(picture, target->index);
        if (is_pressed) choose_key(picture, target->index);
        return;
    }
    picture.frame.next_hover.token = target->index;
    put_readout(picture.frame, concat("query of ", token_text(picture.frame.evaluation, target->index)), {}, {});
    if (is_pressed && target->index != picture.plane.choice.query) choose_query(picture, target->index);
}

}  // namespace

void draw_key_plane(const VectorsPicture& picture, ImVec2 size) {
    Display& display = picture.frame;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ItemState state = item(display, "plane", size);
    move_with_arrow_keys(picture, "plane", state, "queries and keys as arrows");
    const VectorsKey key = vectors_key(picture, size);
    const FigureBlock& scene = display.memory.vectors->keys.at(
        display, key, [&](const SceneStyle& style) { return keys_scene(style, picture.drawn(), key.layout); });
    const std::vector<Target> targets = draw_with_targets(picture, scene, corner);
    const bool is_click = state.is_pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    point_and_click(picture, targets, state.is_hovered, is_click);
}

}  // namespace attn
