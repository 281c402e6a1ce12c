// The second drawing of the vectors view: the context as the chain of its weighted values.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.h"
#include "playground/format.h"
#include "ui/pins.h"
#include "ui/plane_box.h"
#include "ui/vectors_pointing.h"
#include "ui/widgets.h"

namespace attn {
namespace {

ImDrawList& list() {
    return *ImGui::GetWindowDrawList();
}

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

void draw_links(const VectorsPicture& picture, const PlaneBox& box, std::vector<Target>& targets) {
    const std::vector<ChainLink>& chain = picture.plane.chain;
    const Palette& palette = picture.frame.palette;
    for (std::size_t place = 0; place < chain.size(); ++place) {
        const ChainLink& link = chain[place];
        const int lane = static_cast<int>(place);
        const ImVec2 from = box.at(link.from, lane);
        const ImVec2 to = box.at(link.to, lane);
        const bool is_lit = link.num_keys == 1 && picture.is_lit(link.key);
        const ImU32 color = place % 2 == 0 ? picture.color : mix(palette.panel, picture.color, 0.6F);
        if (box.is_line()) list().AddLine(to, box.at(link.to, lane + 1), palette.line);
        draw_arrow(from, to, is_lit ? palette.accent : color, is_lit ? 3.2F : 2.0F,
                   link.num_keys == 1 ? ArrowKind::solid : ArrowKind::dashed, palette.panel);
        targets.push_back({Target::Kind::link, lane, from, to});
        record_tip(picture, concat("link=", link.key), {(from.x + to.x) / 2, (from.y + to.y) / 2});
    }
}

// Beside the middle of each link, where there is room: the longest links first.
void put_link_labels(const VectorsPicture& picture, const PlaneBox& box, Labels& labels) {
    const std::vector<ChainLink>& chain = picture.plane.chain;
    std::vector<std::size_t> places(chain.size());
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = k;
    const auto size = [&](std::size_t place) {
        const ChainLink& link = chain[place];
        if (link.num_keys == 1 && picture.is_lit(link.key)) return HUGE_VAL;
        return std::hypot(link.to.x - link.from.x, link.to.y - link.from.y);
    };
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
    for (const std::size_t place : places) {
        const ChainLink& link = chain[place];
        const ImVec2 from = box.at(link.from, static_cast<int>(place));
        const ImVec2 to = box.at(link.to, static_cast<int>(place));
        const bool is_lit = link.num_keys == 1 && picture.is_lit(link.key);
        TextStyle style = small(picture.frame);
        if (is_lit) style = {picture.frame.fonts.sans_bold, kSmallSize, picture.frame.palette.ink};
        const std::string text =
            link.num_keys > 1 ? concat(link.num_keys, " others") : label_of(picture, style, link.key);
        const ImVec2 middle = {(from.x + to.x) / 2, (from.y + to.y) / 2};
        // Across the link, on its right-hand side.
        const ImVec2 across = {middle.x + (to.y - from.y), middle.y - (to.x - from.x)};
        labels.put(style, text, across, middle);
    }
}

}  // namespace

void draw_value_chain(const VectorsPicture& picture, ImVec2 size) {
    UiFrame& frame = picture.frame;
    const VectorPlane& plane = picture.plane;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ItemState state = item(frame, "chain", size);
    move_with_arrow_keys(picture);
    const std::string title =
        concat("Context of ", token_text(frame.evaluation, plane.choice.query), ": Σ weight × value");
    const std::string words = plane_words(frame.state.view.plane, plane.head_dim, picture.planes.values);
    const float top = put_panel_heading(picture, corner, size.x, shortened(bold(frame), title, size.x), words);

    std::vector<PlanePoint> points = {plane.context};
    for (const ChainLink& link : plane.chain) points.push_back(link.to);
    const int num_links = static_cast<int>(plane.chain.size());
    const PlaneBox box({corner.x, top}, {corner.x + size.x, corner.y + size.y}, points,
                       plane.head_dim == 1 ? num_links + 1 : 0);
    box.draw_grid(frame, axis_name(frame.state.view.plane, plane.head_dim, false),
                  axis_name(frame.state.view.plane, plane.head_dim, true), picture.shows_values);
    std::vector<Target> targets;
    list().PushClipRect(box.min(), box.max(), true);
    const ImVec2 from = box.at({}, num_links);
    const ImVec2 tip = box.at(plane.context, num_links);
    draw_arrow(from, tip, frame.palette.ink, 3.2F, ArrowKind::solid, frame.palette.panel);
    draw_links(picture, box, targets);
    list().PopClipRect();
    record_tip(picture, "context arrow", tip);
    Labels labels(box.min(), box.max(), label_ground(frame));
    labels.put({frame.fonts.sans_bold, kTextSize, frame.palette.ink}, "context", from, tip);
    put_link_labels(picture, box, labels);
    if (!state.is_hovered) return;
    const std::optional<Target> target = target_at(targets, ImGui::GetMousePos());
    if (!target) return;
    const ChainLink& link = plane.chain[static_cast<std::size_t>(target->index)];
    put_link_readout(picture, link);
    if (link.num_keys > 1) return;
    point_at_key(picture, link.key);
    if (state.is_pressed) choose_key(picture, link.key);
}

}  // namespace attn
