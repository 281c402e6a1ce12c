// The first drawing of the vectors view: queries and keys as arrows, and the angle between two of them.
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

void put_key_readout(const VectorsPicture& picture, int key) {
    const Evaluation& evaluation = picture.frame.evaluation;
    const KeyMeasure& measured = picture.plane.measures[static_cast<std::size_t>(key)];
    const std::string title = concat(token_text(evaluation, picture.plane.choice.query), " → ",
                                     token_text(evaluation, key), measured.is_hidden ? " (masked)" : "");
    const bool has_angle = !std::isnan(measured.degrees);
    picture.shows_values ? put_readout(picture.frame, title, concat("q·k = ", shown_number(measured.dot)),
                                       has_angle ? concat("θ = ", shown_number(measured.degrees, 1), "°") : "no angle")
                         : put_readout(picture.frame, title, {}, {});
}

// The angle between the chosen query and the shown key, where the drawing shows it truly.
void draw_angle(const VectorsPicture& picture, const PlaneBox& box, ImVec2 query_tip, ImVec2 key_tip) {
    if (picture.plane.head_dim != 2 || !picture.shown_key()) return;
    const KeyMeasure& measured = picture.plane.measures[static_cast<std::size_t>(*picture.shown_key())];
    if (std::isnan(measured.degrees)) return;
    const ImVec2 origin = box.at({});
    const float begin = std::atan2(query_tip.y - origin.y, query_tip.x - origin.x);
    float turn = std::atan2(key_tip.y - origin.y, key_tip.x - origin.x) - begin;
    constexpr float kHalfTurn = 3.14159265F;
    if (turn > kHalfTurn) turn -= 2 * kHalfTurn;
    if (turn < -kHalfTurn) turn += 2 * kHalfTurn;
    constexpr float kRadius = 24;
    list().PathArcTo(origin, kRadius, begin, begin + turn, 24);
    list().PathStroke(picture.frame.palette.ink, 0, 1.5F);
}

struct KeyPlane {
    const VectorsPicture& picture;
    PlaneBox box;
    std::vector<Target> targets = {};

    int lane(std::size_t place) const { return static_cast<int>(place); }
    // On a number line query and key of a token lie side by side.
    ImVec2 shifted(ImVec2 point, float by) const { return box.is_line() ? ImVec2(point.x, point.y + by) : point; }

    void draw_key(std::size_t place) {
        const int token = picture.plane.drawn[place];
        const bool is_lit = picture.is_lit(token);
        const bool is_hidden = picture.plane.measures[static_cast<std::size_t>(token)].is_hidden;
        const Palette& palette = picture.frame.palette;
        const ImU32 color = is_hidden && !is_lit ? mix(palette.panel, palette.soft_ink, 0.4F)
                            : is_lit             ? palette.ink
                                                 : palette.soft_ink;
        const ImVec2 from = shifted(box.at({}, lane(place)), 3);
        const ImVec2 to = shifted(box.at(picture.plane.keys[place], lane(place)), 3);
        draw_arrow(from, to, color, is_lit ? 2.5F : 1.4F, ArrowKind::dashed, palette.panel);
        targets.push_back({Target::Kind::key, token, from, to});
        record_tip(picture, concat("key arrow=", token), to);
    }

    void draw_query(std::size_t place) {
        const int token = picture.plane.drawn[place];
        const bool is_lit = token == picture.pointed_token;
        const ImU32 color = mix(picture.frame.palette.panel, picture.color, is_lit ? 1.0F : 0.45F);
        const ImVec2 from = shifted(box.at({}, lane(place)), -3);
        const ImVec2 to = shifted(box.at(picture.plane.queries[place], lane(place)), -3);
        draw_arrow(from, to, color, is_lit ? 2.5F : 1.2F, ArrowKind::solid, picture.frame.palette.panel);
        targets.push_back({Target::Kind::query, token, from, to});
        record_tip(picture, concat("query arrow=", token), to);
    }
};

// The lane of the chosen query on a number line: its own token's, or the first.
int query_lane(const VectorPlane& plane) {
    const auto place = std::find(plane.drawn.begin(), plane.drawn.end(), plane.choice.query);
    return place == plane.drawn.end() ? 0 : static_cast<int>(place - plane.drawn.begin());
}

// Keys in the order in which they get labels: the lit one, then by weight. Returns how many got none.
int put_key_labels(const KeyPlane& drawing, Labels& labels) {
    const VectorsPicture& picture = drawing.picture;
    const VectorPlane& plane = picture.plane;
    std::vector<std::size_t> places(plane.drawn.size());
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = k;
    const auto rank = [&](std::size_t place) {
        const int token = plane.drawn[place];
        const KeyMeasure& measured = plane.measures[static_cast<std::size_t>(token)];
        if (picture.is_lit(token)) return 2.0F;
        return measured.is_hidden ? -1.0F : measured.weight;
    };
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
    int num_left_out = 0;
    for (const std::size_t place : places) {
        const int token = plane.drawn[place];
        const bool is_lit = picture.is_lit(token);
        const bool is_hidden = plane.measures[static_cast<std::size_t>(token)].is_hidden;
        TextStyle style = small(picture.frame);
        if (is_lit) style = {picture.frame.fonts.sans_bold, kSmallSize, picture.frame.palette.ink};
        if (is_hidden && !is_lit) style.color = mix(picture.frame.palette.panel, style.color, 0.7F);
        const ImVec2 from = drawing.box.at({}, drawing.lane(place));
        const ImVec2 tip = drawing.shifted(drawing.box.at(plane.keys[place], drawing.lane(place)), 3);
        if (!labels.put(style, label_of(picture, style, token), from, tip)) ++num_left_out;
    }
    return num_left_out;
}

void point_and_click(const VectorsPicture& picture, const KeyPlane& drawing, bool is_hovered, bool is_pressed) {
    if (!is_hovered) return;
    const std::optional<Target> target = target_at(drawing.targets, ImGui::GetMousePos());
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
    UiFrame& frame = picture.frame;
    const VectorPlane& plane = picture.plane;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ItemState state = item(frame, "plane", size);
    move_with_arrow_keys(picture);
    const std::string words = plane_words(frame.state.view.plane, plane.head_dim, picture.planes.keys);
    const float top = put_panel_heading(picture, corner, size.x, "Queries (solid) and keys (dashed)", words);

    std::vector<PlanePoint> points = plane.keys;
    points.insert(points.end(), plane.queries.begin(), plane.queries.end());
    points.push_back(plane.query_at);
    const int num_lanes = plane.head_dim == 1 ? static_cast<int>(plane.drawn.size()) : 0;
    KeyPlane drawing = {picture, PlaneBox({corner.x, top}, {corner.x + size.x, corner.y + size.y}, points, num_lanes)};
    const PlaneBox& box = drawing.box;
    box.draw_grid(frame, axis_name(frame.state.view.plane, plane.head_dim, false),
                  axis_name(frame.state.view.plane, plane.head_dim, true), picture.shows_values);
    list().PushClipRect(box.min(), box.max(), true);
    for (std::size_t place = 0; place < plane.drawn.size(); ++place) {
        if (plane.drawn[place] != plane.choice.query) drawing.draw_query(place);
    }
    for (std::size_t place = 0; place < plane.drawn.size(); ++place) {
        if (!picture.is_lit(plane.drawn[place])) drawing.draw_key(place);
    }
    ImVec2 lit_tip = {};
    for (std::size_t place = 0; place < plane.drawn.size(); ++place) {
        if (!picture.is_lit(plane.drawn[place])) continue;
        drawing.draw_key(place);
        if (plane.drawn[place] == picture.shown_key()) lit_tip = drawing.targets.back().to;
    }
    const int lane = query_lane(plane);
    const ImVec2 from = drawing.shifted(box.at({}, lane), -3);
    const ImVec2 tip = drawing.shifted(box.at(plane.query_at, lane), -3);
    draw_arrow(from, tip, picture.color, 3.2F, ArrowKind::solid, frame.palette.panel);
    record_tip(picture, concat("query arrow=", plane.choice.query), tip);
    draw_angle(picture, box, tip, lit_tip);
    list().PopClipRect();

    Labels labels(box.min(), box.max(), label_ground(frame));
    const TextStyle style = {frame.fonts.sans_bold, kTextSize, frame.palette.ink};
    labels.put(style, concat("q ", label_of(picture, style, plane.choice.query)), from, tip);
    const int num_left_out = put_key_labels(drawing, labels);
    if (num_left_out > 0) {
        const TextStyle tiny = {frame.fonts.sans, kTinySize, frame.palette.soft_ink};
        const std::string text = concat(num_left_out, num_left_out == 1 ? " label" : " labels", " left out");
        draw_text({box.max().x - text_size(tiny, text).x - 5, box.min().y + 3}, tiny, text);
    }
    point_and_click(picture, drawing, state.is_hovered, state.is_pressed);
}

}  // namespace attn
