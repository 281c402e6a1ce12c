// The two drawings of the vectors view.
#include <imgui_internal.h>  // key ownership: the arrow keys belong to the drawing that has the focus

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.h"
#include "playground/format.h"
#include "ui/pins.h"
#include "ui/plane_box.h"
#include "ui/vectors_picture.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kReach = 9;  // points from an arrow that still point at it
constexpr float kWidestLabel = 96;

ImDrawList& list() {
    return *ImGui::GetWindowDrawList();
}

// What can be pointed at in a drawing.
struct Target {
    enum class Kind { query, key, link } kind;
    int index;  // token, or place in the chain
    ImVec2 from, to;
};

// The target nearest to the pointer, if near enough. Near the origin all arrows are close, so their outer parts count.
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

// Left and right choose the query, up and down the key, while the drawing (the last ImGui item) has the focus.
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

// Half of the ground: what lies under a label shows through.
ImU32 label_ground(const UiFrame& frame) {
    return (frame.palette.panel & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 190);
}

// For tests: where the tip of an arrow is.
void record_tip(const VectorsPicture& picture, const std::string& name, ImVec2 tip) {
    picture.frame.items.push_back({.name = name, .id = 0, .min = tip, .max = tip, .is_clipped = false});
}

void begin_readout() {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(12, 8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, kRounding);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 2));
}

void put_readout(const UiFrame& frame, std::string_view title, std::string_view first, std::string_view second) {
    if (frame.surroundings.is_touch) return;
    begin_readout();
    if (ImGui::BeginTooltip()) {
        put_text(bold(frame), shortened(bold(frame), title, 320));
        if (!first.empty()) put_text(mono(frame), first);
        if (!second.empty()) put_text(mono(frame), second);
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar(3);
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

// The panel's heading with what the arrows look like; returns the top of the drawing.
float put_panel_heading(const VectorsPicture& picture, ImVec2 corner, float width, std::string_view title,
                        const std::string& words) {
    const UiFrame& frame = picture.frame;
    draw_text(corner, bold(frame), title);
    const TextStyle style = small(frame);
    draw_text({corner.x, corner.y + kTextSize + 2}, style, shortened(style, words, width));
    return corner.y + kTextSize + kSmallSize + 6;
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

namespace {

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
