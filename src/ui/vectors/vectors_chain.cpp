// The second drawing of the vectors view: the context as the chain of its weighted values.
#include <imgui.h>

#include <vector>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "ui/frame/pins.h"
#include "ui/kit/widgets.h"
#include "ui/vectors/vectors_pointing.h"

namespace attn {
namespace {

// "(0.1234, −0.5678)", or one number.
std::string point_text(const VectorsPicture& picture, const PlanePoint& point) {
    if (picture.plane.head_dim == 1) return shown_number(point.x);
    return concat("(", shown_number(point.x), ", ", shown_number(point.y), ")");
}

void put_link_readout(const VectorsPicture& picture, const ChainLink& link) {
    const std::string title = link.num_keys > 1 ? concat("the ", link.num_keys, " other keys together")
                                                : token_text(picture.frame.evaluation, link.key);
    if (!picture.shows_values) return put_readout(picture.frame, title, {}, {});
    const PlanePoint step = {link.to.x - link.from.x, link.to.y - link.from.y};
    if (link.num_keys > 1)
        return put_readout(picture.frame, title, concat("weights ", shown_number(link.weight)),
                           concat("= ", point_text(picture, step)));
    const PlanePoint value = {step.x / link.weight, step.y / link.weight};
    put_readout(picture.frame, title, concat(shown_number(link.weight), " × ", point_text(picture, value)),
                concat("= ", point_text(picture, step)));
}

}  // namespace

void draw_value_chain(const VectorsPicture& picture, ImVec2 size) {
    Display& display = picture.frame;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ItemState state = item(display, "chain", size);
    move_with_arrow_keys(picture, "chain", state, "the weighted values, end to end");
    const VectorsKey key = vectors_key(picture, size);
    const FigureBlock& scene = display.memory.vectors->chain.at(
        display, key, [&](const SceneStyle& style) { return chain_scene(style, picture.drawn(), key.layout); });
    const std::vector<Target> targets = draw_with_targets(picture, scene, corner);
    if (!state.is_hovered) return;
    const std::optional<Target> target = target_at(targets, ImGui::GetMousePos());
    if (!target) return;
    const ChainLink& link = picture.plane.chain[static_cast<std::size_t>(target->index)];
    put_link_readout(picture, link);
    if (link.num_keys > 1) return;
    point_at_key(picture, link.key);
    if (state.is_pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left)) choose_key(picture, link.key);
}

}  // namespace attn
