// The two drawings of view=vectors: arrows, their angle, and labels where there is room for them.
#include "views/vectors/vectors_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "scene/kit/figure_plane.h"
#include "scene/kit/figure_text.h"

namespace attn {
namespace {

struct Arrow {
    FigurePoint from, to;
};

// The lane of the chosen query on a number line: its own token's, or the first.
int query_lane(const VectorPlane& plane) {
    const auto place = std::find(plane.drawn.begin(), plane.drawn.end(), plane.choice.query);
    return place == plane.drawn.end() ? 0 : static_cast<int>(place - plane.drawn.begin());
}

void add_place(FigureBlock& block, std::string name, const Arrow& arrow, int index) {
    block.places.push_back({std::move(name), {arrow.from.x, arrow.from.y, arrow.to.x, arrow.to.y}, index});
}

// The indices 0 to count - 1, largest size first.
template <typename SizeOf>
std::vector<std::size_t> by_size(std::size_t count, const SizeOf& size_of) {
    std::vector<std::size_t> places(count);
    for (std::size_t k = 0; k < count; ++k) places[k] = k;
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return size_of(a) > size_of(b); });
    return places;
}

// What both drawings share.
class Drawing {
public:
    Drawing(const SceneStyle& style, const VectorsDrawn& drawn, const VectorsLayout& layout,
            const PlaneDirections& directions, const std::vector<PlanePoint>& points, int num_lanes)
        : style_(style),
          drawn_(drawn),
          shown_(drawn.plane),
          layout_(layout),
          directions_(directions),
          color_(style.head(drawn.plane.choice.head)),
          plane_(layout.width, layout.height, points, num_lanes),
          labels_(style, plane_.min(), plane_.max()) {
        block_.width = layout.width;
        block_.height = layout.height;
        plane_.draw_grid(block_, style, axis_name(directions, false), axis_name(directions, true), layout.has_values);
    }

protected:
    // Below the title and the line that says which part of the vectors is drawn.
    FigureBlock under_heading(const std::string& title) {
        const std::string words = plane_words(directions_);
        FigureBlock heading = stacked_blocks(
            text_block(style_, title, layout_.width,
                       {.ink = style_.colors.ink, .size = style_.heading, .font = FigureFont::sans_bold}, 1),
            text_block(style_, words, layout_.width, small(false), 1), 1);
        return stacked_blocks(std::move(heading), std::move(block_), 6);
    }
    const KeyMeasure& measure(int token) const { return shown_.measures[static_cast<std::size_t>(token)]; }
    std::string label(int token, const TextLook& look) const {
        return vector_label(style_, drawn_.evaluation, token, look);
    }
    TextLook small(bool is_bold) const {
        return {.ink = is_bold ? style_.colors.ink : style_.colors.soft_ink,
                .size = style_.small,
                .font = is_bold ? FigureFont::sans_bold : FigureFont::sans};
    }
    TextLook bold() const { return {.ink = style_.colors.ink, .size = style_.body, .font = FigureFont::sans_bold}; }
    Rgb faded(Rgb color, float share) const { return mixed(style_.colors.panel, color, share); }

    const SceneStyle& style_;
    const VectorsDrawn& drawn_;
    const VectorPlane& shown_;
    const VectorsLayout& layout_;
    const PlaneDirections& directions_;
    Rgb color_;  // of the head
    FigurePlane plane_;
    FigureLabels labels_;
    FigureBlock block_;
};

class KeysDrawing : Drawing {
public:
    KeysDrawing(const SceneStyle& style, const VectorsDrawn& drawn, const VectorsLayout& layout)
        : Drawing(style, drawn, layout, drawn.planes.keys, points_of(drawn.plane),
                  drawn.plane.score_dim == 1 ? static_cast<int>(drawn.plane.drawn.size()) : 0) {}

    FigureBlock scene() {
        draw_other_queries();
        const int lane = query_lane(shown_);
        const Arrow query = {shifted(plane_.at({}, lane), -3), shifted(plane_.at(shown_.query_at, lane), -3)};
        for (const bool is_lit : {false, true}) {
            for (std::size_t place = 0; place < shown_.drawn.size(); ++place) {
                if (layout_.is_lit(shown_.drawn[place]) != is_lit) continue;
                draw_key(place);
                if (shown_.drawn[place] == layout_.shown_key) draw_angle(query.to, key_arrow(place).to);
            }
        }
        const int token = shown_.choice.query;
        draw_arrow(block_, query.from, query.to, {.color = color_, .thickness = 3.2}, query_tip(token));
        add_place(block_, concat("query arrow=", token), query, token);
        labels_.put(block_, concat("q ", label(token, bold())), bold(), query.from, query.to);
        const int num_left_out = put_key_labels();
        if (num_left_out > 0) {
            TextLook look = small(false);
            look.anchor = FigureAnchor::end;
            draw_text(block_, {layout_.width - 6, 14}, concat(counted(num_left_out, "label"), " left out"), look);
        }
        return under_heading("Queries (solid) and keys (dashed)");
    }

private:
    static std::vector<PlanePoint> points_of(const VectorPlane& shown) {
        std::vector<PlanePoint> points = shown.keys;
        points.insert(points.end(), shown.queries.begin(), shown.queries.end());
        points.push_back(shown.query_at);
        return points;
    }

    std::string query_tip(int token) const {
        return concat("query of ", isolated(token_text(drawn_.evaluation, token)));
    }
    std::string key_tip(int key) const {
        std::string tip =
            concat(from_to(token_text(drawn_.evaluation, shown_.choice.query), token_text(drawn_.evaluation, key)),
                   measure(key).is_hidden ? " (masked)" : "");
        if (!layout_.has_values) return tip;
        tip += concat(": q·k = ", shown_number(measure(key).dot));
        return std::isnan(measure(key).degrees) ? tip
                                                : concat(tip, ", θ = ", shown_number(measure(key).degrees, 1), "°");
    }

    // On a number line query and key of a token lie side by side.
    FigurePoint shifted(FigurePoint point, double by) const {
        return plane_.is_line() ? FigurePoint{point.x, point.y + by} : point;
    }
    Arrow key_arrow(std::size_t place) const {
        const int lane = static_cast<int>(place);
        return {shifted(plane_.at({}, lane), 3), shifted(plane_.at(shown_.keys[place], lane), 3)};
    }

    void draw_other_queries() {
        for (std::size_t place = 0; place < shown_.drawn.size(); ++place) {
            const int token = shown_.drawn[place];
            if (token == shown_.choice.query) continue;
            const bool is_lit = token == layout_.pointed_token;
            const int lane = static_cast<int>(place);
            const Arrow arrow = {shifted(plane_.at({}, lane), -3), shifted(plane_.at(shown_.queries[place], lane), -3)};
            draw_arrow(block_, arrow.from, arrow.to,
                       {.color = is_lit ? color_ : faded(color_, 0.45F), .thickness = is_lit ? 2.5 : 1.2},
                       query_tip(token));
            add_place(block_, concat("query arrow=", token), arrow, token);
        }
    }

    void draw_key(std::size_t place) {
        const int token = shown_.drawn[place];
        const bool is_lit = layout_.is_lit(token);
        ArrowLook look = {.color = is_lit ? style_.colors.ink : style_.colors.soft_ink,
                          .thickness = is_lit ? 2.5 : 1.4,
                          .is_dashed = true,
                          .paper = style_.colors.panel};
        if (measure(token).is_hidden && !is_lit) look.color = faded(style_.colors.soft_ink, 0.4F);
        const Arrow arrow = key_arrow(place);
        draw_arrow(block_, arrow.from, arrow.to, look, key_tip(token));
        add_place(block_, concat("key arrow=", token), arrow, token);
    }

    // The angle between the chosen query and the shown key, if the drawing shows the true angle.
    void draw_angle(FigurePoint query, FigurePoint key) {
        if (shown_.score_dim != 2 || std::isnan(measure(*layout_.shown_key).degrees)) return;
        constexpr double kRadius = 24;
        constexpr double kTurn = 6.283185307179586;
        constexpr int kSteps = 24;
        const FigurePoint origin = plane_.at({});
        const double begin = std::atan2(query.y - origin.y, query.x - origin.x);
        const double turn = std::remainder(std::atan2(key.y - origin.y, key.x - origin.x) - begin, kTurn);
        FigurePath arc;
        for (int k = 0; k <= kSteps; ++k) {
            const double angle = begin + turn * k / kSteps;
            arc.pieces.push_back({.step = k == 0 ? FigureStep::move : FigureStep::line,
                                  .to = {origin.x + kRadius * std::cos(angle), origin.y + kRadius * std::sin(angle)}});
        }
        arc.look = {.line = style_.colors.ink, .line_width = 1.5};
        block_.elements.emplace_back(std::move(arc));
    }

    // Labels the lit keys first, then the others by weight. Returns how many have no label.
    int put_key_labels() {
        const auto rank = [&](std::size_t place) {
            const int token = shown_.drawn[place];
            if (layout_.is_lit(token)) return 2.0F;
            return measure(token).is_hidden ? -1.0F : measure(token).weight;
        };
        int num_left_out = 0;
        for (const std::size_t place : by_size(shown_.drawn.size(), rank)) {
            const int token = shown_.drawn[place];
            TextLook look = small(layout_.is_lit(token));
            if (measure(token).is_hidden && !layout_.is_lit(token)) look.ink = faded(look.ink, 0.7F);
            const Arrow arrow = key_arrow(place);
            if (!labels_.put(block_, label(token, look), look, arrow.from, arrow.to)) ++num_left_out;
        }
        return num_left_out;
    }
};

class ChainDrawing : Drawing {
public:
    ChainDrawing(const SceneStyle& style, const VectorsDrawn& drawn, const VectorsLayout& layout)
        : Drawing(style, drawn, layout, drawn.planes.values, points_of(drawn.plane),
                  drawn.plane.head_dim == 1 ? static_cast<int>(drawn.plane.chain.size()) + 1 : 0) {}

    FigureBlock scene() {
        const int num_links = static_cast<int>(shown_.chain.size());
        const Arrow context = {plane_.at({}, num_links), plane_.at(shown_.context, num_links)};
        draw_arrow(block_, context.from, context.to, {.color = style_.colors.ink, .thickness = 3.2},
                   layout_.has_values ? concat("context: ", step_text({}, shown_.context)) : "context");
        draw_links();
        add_place(block_, "context arrow", context, 0);
        labels_.put(block_, "context", bold(), context.from, context.to);
        put_link_labels();
        return under_heading(concat("Context of ", label(shown_.choice.query, bold()), ": Σ weight × value"));
    }

private:
    static std::vector<PlanePoint> points_of(const VectorPlane& shown) {
        std::vector<PlanePoint> points = {shown.context};
        for (const ChainLink& link : shown.chain) points.push_back(link.to);
        return points;
    }

    bool is_lit(const ChainLink& link) const { return link.num_keys == 1 && layout_.is_lit(link.key); }

    std::string step_text(const PlanePoint& from, const PlanePoint& to) const {
        if (shown_.head_dim == 1) return shown_number(to.x - from.x);
        return concat("(", shown_number(to.x - from.x), ", ", shown_number(to.y - from.y), ")");
    }

    std::string link_tip(const ChainLink& link) const {
        const std::string name = link.num_keys > 1 ? concat("the ", link.num_keys, " other keys together")
                                                   : token_text(drawn_.evaluation, link.key);
        if (!layout_.has_values) return name;
        return concat(name, ": weight ", shown_number(link.weight), ", step ", step_text(link.from, link.to));
    }

    void draw_links() {
        for (std::size_t place = 0; place < shown_.chain.size(); ++place) {
            const ChainLink& link = shown_.chain[place];
            const int lane = static_cast<int>(place);
            const Arrow arrow = {plane_.at(link.from, lane), plane_.at(link.to, lane)};
            if (plane_.is_line()) draw_line(block_, arrow.to, plane_.at(link.to, lane + 1), style_.colors.line);
            ArrowLook look = {.color = place % 2 == 0 ? color_ : faded(color_, 0.6F),
                              .thickness = is_lit(link) ? 3.2 : 2.0,
                              .is_dashed = link.num_keys > 1,
                              .paper = style_.colors.panel};
            if (is_lit(link)) look.color = style_.colors.accent;
            draw_arrow(block_, arrow.from, arrow.to, look, link_tip(link));
            add_place(block_, concat("link=", link.key), arrow, lane);
        }
    }

    // Beside the middle of each link if there is room: lit links first, then the longest.
    void put_link_labels() {
        const auto size = [&](std::size_t place) {
            const ChainLink& link = shown_.chain[place];
            if (is_lit(link)) return std::numeric_limits<double>::max();
            const double length = std::hypot(link.to.x - link.from.x, link.to.y - link.from.y);
            return std::isfinite(length) ? length : 0.0;
        };
        for (const std::size_t place : by_size(shown_.chain.size(), size)) {
            const ChainLink& link = shown_.chain[place];
            const FigurePoint from = plane_.at(link.from, static_cast<int>(place));
            const FigurePoint to = plane_.at(link.to, static_cast<int>(place));
            const TextLook look = small(is_lit(link));
            const std::string text = link.num_keys > 1 ? concat(link.num_keys, " others") : label(link.key, look);
            const FigurePoint middle = {(from.x + to.x) / 2, (from.y + to.y) / 2};
            // Across the link, on its right-hand side.
            labels_.put(block_, text, look, {middle.x + (to.y - from.y), middle.y - (to.x - from.x)}, middle);
        }
    }
};

}  // namespace

std::string vector_label(const SceneStyle& style, const Evaluation& evaluation, int token, const TextLook& look) {
    constexpr double kWidest = 96;
    return shortened_text(one_line(token_text(evaluation, token)), kWidest, look.size, look.font, *style.ruler);
}

FigureBlock keys_scene(const SceneStyle& style, const VectorsDrawn& drawn, const VectorsLayout& layout) {
    return KeysDrawing(style, drawn, layout).scene();
}

FigureBlock chain_scene(const SceneStyle& style, const VectorsDrawn& drawn, const VectorsLayout& layout) {
    return ChainDrawing(style, drawn, layout).scene();
}

}  // namespace attn
