// view=vectors: queries and keys of one head as arrows, the context of one query as the chain of its weighted values,
// and the list of the keys.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/check.h"
#include "playground/format.h"
#include "playground/notes.h"
#include "playground/stage_labels.h"
#include "share/figure_plane.h"
#include "share/figure_views.h"

namespace attn {
namespace {

constexpr double kPanel = 440;  // width of a drawing
constexpr double kHeight = 400;
constexpr double kBetween = 28;
constexpr double kWidestLabel = 96;

// One picture of the view.
struct Vectors {
    const FigureTask& task;
    HeadPlanes planes;
    VectorPlane plane;
    Rgb color;  // of the head

    bool is_shown(int token) const { return token == plane.choice.key; }
    const KeyMeasure& measure(int token) const { return plane.measures[static_cast<std::size_t>(token)]; }
    std::string label(int token, const TextLook& look) const {
        return shortened_text(one_line(token_text(task.evaluation, token)), kWidestLabel, look.size, look.font);
    }
    TextLook small(bool is_bold) const {
        return {.ink = is_bold ? task.colors.ink : task.colors.soft_ink,
                .size = kFigureSmall,
                .font = is_bold ? FigureFont::sans_bold : FigureFont::sans};
    }
};

// A panel's title and what it shows of the vectors.
FigureBlock panel_heading(const Vectors& vectors, const std::string& title, const PlaneDirections& directions) {
    const FigureTask& task = vectors.task;
    const TextLook bold = {.ink = task.colors.ink, .size = kFigureHeading, .font = FigureFont::sans_bold};
    const std::string words = plane_words(task.view().plane, vectors.plane.head_dim, directions);
    return stacked_blocks(text_block(title, kPanel, bold, 1), text_block(words, kPanel, vectors.small(false), 1), 1);
}

std::string axis(const Vectors& vectors, bool is_y) {
    return axis_name(vectors.task.view().plane, vectors.plane.head_dim, is_y);
}

std::string key_tip(const Vectors& vectors, int key) {
    const KeyMeasure& measure = vectors.measure(key);
    const Evaluation& evaluation = vectors.task.evaluation;
    std::string tip = concat(token_text(evaluation, vectors.plane.choice.query), " → ", token_text(evaluation, key),
                             measure.is_hidden ? " (masked)" : "");
    if (!vectors.task.has_values()) return tip;
    tip += concat(": q·k = ", shown_number(measure.dot));
    return std::isnan(measure.degrees) ? tip : concat(tip, ", θ = ", shown_number(measure.degrees, 1), "°");
}

// On a number line query and key of a token lie side by side.
FigurePoint shifted(const FigurePlane& plane, FigurePoint point, double by) {
    return plane.is_line() ? FigurePoint{point.x, point.y + by} : point;
}

struct Arrow {
    FigurePoint from, to;
};

Arrow key_arrow(const Vectors& vectors, const FigurePlane& plane, std::size_t place) {
    const int lane = static_cast<int>(place);
    return {shifted(plane, plane.at({}, lane), 3), shifted(plane, plane.at(vectors.plane.keys[place], lane), 3)};
}

// The lane of the chosen query on a number line: its own token's, or the first.
int query_lane(const VectorPlane& plane) {
    const auto place = std::find(plane.drawn.begin(), plane.drawn.end(), plane.choice.query);
    return place == plane.drawn.end() ? 0 : static_cast<int>(place - plane.drawn.begin());
}

void draw_key(FigureBlock& block, const Vectors& vectors, const FigurePlane& plane, std::size_t place) {
    const FigureColors& colors = vectors.task.colors;
    const int token = vectors.plane.drawn[place];
    const bool is_shown = vectors.is_shown(token);
    ArrowLook look = {.color = is_shown ? colors.ink : colors.soft_ink,
                      .thickness = is_shown ? 2.5 : 1.4,
                      .is_dashed = true,
                      .paper = colors.panel};
    if (vectors.measure(token).is_hidden && !is_shown) look.color = mixed(colors.panel, colors.soft_ink, 0.4F);
    const Arrow arrow = key_arrow(vectors, plane, place);
    draw_arrow(block, arrow.from, arrow.to, look, key_tip(vectors, token));
}

void draw_other_queries(FigureBlock& block, const Vectors& vectors, const FigurePlane& plane) {
    const ArrowLook look = {.color = mixed(vectors.task.colors.panel, vectors.color, 0.45F), .thickness = 1.2};
    for (std::size_t place = 0; place < vectors.plane.drawn.size(); ++place) {
        const int token = vectors.plane.drawn[place];
        if (token == vectors.plane.choice.query) continue;
        const int lane = static_cast<int>(place);
        draw_arrow(block, shifted(plane, plane.at({}, lane), -3),
                   shifted(plane, plane.at(vectors.plane.queries[place], lane), -3), look,
                   concat("query of ", token_text(vectors.task.evaluation, token)));
    }
}

// The angle between the chosen query and the shown key, where the drawing shows it truly.
void draw_angle(FigureBlock& block, const Vectors& vectors, FigurePoint origin, FigurePoint query, FigurePoint key) {
    if (vectors.plane.head_dim != 2 || std::isnan(vectors.measure(*vectors.plane.choice.key).degrees)) return;
    constexpr double kRadius = 24;
    constexpr double kTurn = 6.283185307179586;
    constexpr int kSteps = 24;
    const double begin = std::atan2(query.y - origin.y, query.x - origin.x);
    const double turn = std::remainder(std::atan2(key.y - origin.y, key.x - origin.x) - begin, kTurn);
    FigurePath arc;
    for (int k = 0; k <= kSteps; ++k) {
        const double angle = begin + turn * k / kSteps;
        arc.pieces.push_back({.step = k == 0 ? FigureStep::move : FigureStep::line,
                              .to = {origin.x + kRadius * std::cos(angle), origin.y + kRadius * std::sin(angle)}});
    }
    arc.look = {.line = vectors.task.colors.ink, .line_width = 1.5};
    block.elements.emplace_back(std::move(arc));
}

// Keys get labels by weight, the shown one first. Returns how many got none.
int put_key_labels(FigureBlock& block, const Vectors& vectors, const FigurePlane& plane, FigureLabels& labels) {
    std::vector<std::size_t> places(vectors.plane.drawn.size());
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = k;
    const auto rank = [&](std::size_t place) {
        const int token = vectors.plane.drawn[place];
        if (vectors.is_shown(token)) return 2.0F;
        return vectors.measure(token).is_hidden ? -1.0F : vectors.measure(token).weight;
    };
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
    int num_left_out = 0;
    for (const std::size_t place : places) {
        const int token = vectors.plane.drawn[place];
        TextLook look = vectors.small(vectors.is_shown(token));
        if (vectors.measure(token).is_hidden && !vectors.is_shown(token)) {
            look.ink = mixed(vectors.task.colors.panel, look.ink, 0.7F);
        }
        const Arrow arrow = key_arrow(vectors, plane, place);
        if (!labels.put(block, vectors.label(token, look), look, arrow.from, arrow.to)) ++num_left_out;
    }
    return num_left_out;
}

FigureBlock key_block(const Vectors& vectors) {
    const FigureTask& task = vectors.task;
    const VectorPlane& shown = vectors.plane;
    std::vector<PlanePoint> points = shown.keys;
    points.insert(points.end(), shown.queries.begin(), shown.queries.end());
    points.push_back(shown.query_at);
    const FigurePlane plane(kPanel, kHeight, points, shown.head_dim == 1 ? static_cast<int>(shown.drawn.size()) : 0);
    FigureBlock block;
    block.width = kPanel;
    block.height = kHeight;
    plane.draw_grid(block, task, axis(vectors, false), axis(vectors, true));
    draw_other_queries(block, vectors, plane);
    const int lane = query_lane(shown);
    const FigurePoint from = shifted(plane, plane.at({}, lane), -3);
    const FigurePoint tip = shifted(plane, plane.at(shown.query_at, lane), -3);
    for (const bool is_shown : {false, true}) {
        for (std::size_t place = 0; place < shown.drawn.size(); ++place) {
            if (vectors.is_shown(shown.drawn[place]) != is_shown) continue;
            draw_key(block, vectors, plane, place);
            if (is_shown) draw_angle(block, vectors, plane.at({}), tip, key_arrow(vectors, plane, place).to);
        }
    }
    draw_arrow(block, from, tip, {.color = vectors.color, .thickness = 3.2},
               concat("query of ", token_text(task.evaluation, shown.choice.query)));
    FigureLabels labels(plane.min(), plane.max(), task.colors.panel);
    const TextLook bold = {.ink = task.colors.ink, .font = FigureFont::sans_bold};
    labels.put(block, concat("q ", vectors.label(shown.choice.query, bold)), bold, from, tip);
    const int num_left_out = put_key_labels(block, vectors, plane, labels);
    if (num_left_out > 0) {
        TextLook look = vectors.small(false);
        look.anchor = FigureAnchor::end;
        draw_text(block, {kPanel - 6, 14}, concat(counted(num_left_out, "label"), " left out"), look);
    }
    return stacked_blocks(panel_heading(vectors, "Queries (solid) and keys (dashed)", vectors.planes.keys),
                          std::move(block), 6);
}

std::string point_text(const Vectors& vectors, const PlanePoint& from, const PlanePoint& to) {
    if (vectors.plane.head_dim == 1) return shown_number(to.x - from.x);
    return concat("(", shown_number(to.x - from.x), ", ", shown_number(to.y - from.y), ")");
}

std::string link_tip(const Vectors& vectors, const ChainLink& link) {
    const std::string name = link.num_keys > 1 ? concat("the ", link.num_keys, " other keys together")
                                               : token_text(vectors.task.evaluation, link.key);
    if (!vectors.task.has_values()) return name;
    return concat(name, ": weight ", shown_number(link.weight), ", step ", point_text(vectors, link.from, link.to));
}

void draw_links(FigureBlock& block, const Vectors& vectors, const FigurePlane& plane) {
    const std::vector<ChainLink>& chain = vectors.plane.chain;
    for (std::size_t place = 0; place < chain.size(); ++place) {
        const ChainLink& link = chain[place];
        const int lane = static_cast<int>(place);
        const FigurePoint to = plane.at(link.to, lane);
        if (plane.is_line()) draw_line(block, to, plane.at(link.to, lane + 1), vectors.task.colors.line);
        const bool is_shown = link.num_keys == 1 && vectors.is_shown(link.key);
        ArrowLook look = {
            .color = place % 2 == 0 ? vectors.color : mixed(vectors.task.colors.panel, vectors.color, 0.6F),
            .thickness = is_shown ? 3.2 : 2.0,
            .is_dashed = link.num_keys > 1,
            .paper = vectors.task.colors.panel};
        if (is_shown) look.color = vectors.task.colors.accent;
        draw_arrow(block, plane.at(link.from, lane), to, look, link_tip(vectors, link));
    }
}

// Beside the middle of each link, where there is room: the shown one, then the longest ones first.
void put_link_labels(FigureBlock& block, const Vectors& vectors, const FigurePlane& plane, FigureLabels& labels) {
    const std::vector<ChainLink>& chain = vectors.plane.chain;
    std::vector<std::size_t> places(chain.size());
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = k;
    const auto is_shown = [&](const ChainLink& link) { return link.num_keys == 1 && vectors.is_shown(link.key); };
    const auto size = [&](std::size_t place) {
        const ChainLink& link = chain[place];
        if (is_shown(link)) return std::numeric_limits<double>::max();
        const double length = std::hypot(link.to.x - link.from.x, link.to.y - link.from.y);
        return std::isfinite(length) ? length : 0.0;
    };
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
    for (const std::size_t place : places) {
        const ChainLink& link = chain[place];
        const FigurePoint from = plane.at(link.from, static_cast<int>(place));
        const FigurePoint to = plane.at(link.to, static_cast<int>(place));
        const TextLook look = vectors.small(is_shown(link));
        const std::string text = link.num_keys > 1 ? concat(link.num_keys, " others") : vectors.label(link.key, look);
        const FigurePoint middle = {(from.x + to.x) / 2, (from.y + to.y) / 2};
        // Across the link, on its right-hand side.
        labels.put(block, text, look, {middle.x + (to.y - from.y), middle.y - (to.x - from.x)}, middle);
    }
}

FigureBlock chain_block(const Vectors& vectors) {
    const FigureTask& task = vectors.task;
    const VectorPlane& shown = vectors.plane;
    std::vector<PlanePoint> points = {shown.context};
    for (const ChainLink& link : shown.chain) points.push_back(link.to);
    const int num_links = static_cast<int>(shown.chain.size());
    const FigurePlane plane(kPanel, kHeight, points, shown.head_dim == 1 ? num_links + 1 : 0);
    FigureBlock block;
    block.width = kPanel;
    block.height = kHeight;
    plane.draw_grid(block, task, axis(vectors, false), axis(vectors, true));
    const FigurePoint from = plane.at({}, num_links);
    const FigurePoint tip = plane.at(shown.context, num_links);
    draw_arrow(block, from, tip, {.color = task.colors.ink, .thickness = 3.2},
               task.has_values() ? concat("context: ", point_text(vectors, {}, shown.context)) : "context");
    draw_links(block, vectors, plane);
    FigureLabels labels(plane.min(), plane.max(), task.colors.panel);
    labels.put(block, "context", {.ink = task.colors.ink, .font = FigureFont::sans_bold}, from, tip);
    put_link_labels(block, vectors, plane, labels);
    const TextLook bold = {.ink = task.colors.ink, .font = FigureFont::sans_bold};
    const std::string title = concat("Context of ", vectors.label(shown.choice.query, bold), ": Σ weight × value");
    return stacked_blocks(panel_heading(vectors, title, vectors.planes.values), std::move(block), 6);
}

// "q·k = ..." of the pinned key.
FigureBlock product_block(const Vectors& vectors) {
    const std::optional<int> key = vectors.plane.choice.key;
    if (!key || !vectors.task.has_values()) return {};
    const KeyMeasure& measure = vectors.measure(*key);
    std::string words = dot_words(vectors.plane, *key);
    if (!std::isnan(measure.degrees)) words += concat("   θ = ", shown_number(measure.degrees, 1), "°");
    if (vectors.plane.is_projection()) words += concat("   (all ", vectors.plane.head_dim, " channels)");
    const Evaluation& evaluation = vectors.task.evaluation;
    const std::string title = concat(token_text(evaluation, vectors.plane.choice.query), " → ",
                                     token_text(evaluation, *key), measure.is_hidden ? " (masked)" : "");
    FigureBlock heading = heading_block(vectors.task, std::nullopt, title, "", 2 * kPanel);
    return stacked_blocks(
        std::move(heading),
        text_block(words, 2 * kPanel + kBetween, {.ink = vectors.task.colors.ink, .font = FigureFont::mono}, 3), 0);
}

// The keys that are drawn, with their numbers.
FigureBlock list_block(const Vectors& vectors) {
    if (!vectors.task.has_values()) return {};
    TextTable table = {"", {"key", "|k|", "cos θ", "θ", "q·k", "weight"}, {}};
    for (const int key : vectors.plane.drawn) {
        const KeyMeasure& measure = vectors.measure(key);
        const bool has_angle = !std::isnan(measure.cosine);
        table.rows.push_back({token_text(vectors.task.evaluation, key), shown_number(measure.length),
                              has_angle ? shown_number(measure.cosine) : "–",
                              has_angle ? concat(shown_number(measure.degrees, 1), "°") : "–",
                              shown_number(measure.dot),
                              measure.is_hidden ? "masked" : shown_number(static_cast<double>(measure.weight))});
    }
    return table_block(vectors.task, table);
}

}  // namespace

Result<Figure> figure_of_vectors(const FigureTask& task) {
    VectorChoice choice = vector_choice(task.evaluation, task.view());
    if (task.options.head) choice.head = std::min(*task.options.head, task.evaluation.sizes.num_heads - 1);
    HeadPlanes planes = head_planes(task.evaluation, choice.head, task.view().plane);
    VectorPlane plane = make_vector_plane(task.evaluation, choice, planes);
    const Vectors vectors = {
        .task = task, .planes = std::move(planes), .plane = std::move(plane), .color = task.head(choice.head)};
    FigureBlock picture = key_block(vectors);
    place_block(picture, chain_block(vectors), {kPanel + kBetween, 0});
    picture = stacked_blocks(std::move(picture), product_block(vectors), 14);
    picture = stacked_blocks(std::move(picture), list_block(vectors), 14);

    FigureWords words;
    words.title = quoted_sentence(task);
    const TextLook plain = {.ink = task.colors.ink};
    words.subtitle = concat("Head ", choice.head + 1, " · query “", vectors.label(choice.query, plain),
                            "”: queries and keys as arrows, the context as the chain of the weighted values");
    if (vectors.plane.num_left_out() > 0) {
        words.remarks.push_back(concat("Drawn: the ", vectors.plane.drawn.size(), " keys with the largest weights, of ",
                                       with_thousands(static_cast<std::int64_t>(vectors.plane.measures.size())), "."));
    }
    return finished_figure(task, std::move(words), std::move(picture));
}

}  // namespace attn
