// Measures the keys against the chosen query, chooses which to draw, and adds up the chain.
#include "views/vectors/vector_plane.h"
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr double kNoAngle = std::numeric_limits<double>::quiet_NaN();

double dot(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
    return sum;
}

PlanePoint in_plane(std::span<const float> vector, const PlaneDirections& plane) {
    PlanePoint point;
    for (std::size_t c = 0; c < vector.size(); ++c) {
        point.x += static_cast<double>(vector[c]) * plane.x[c];
        point.y += static_cast<double>(vector[c]) * plane.y[c];
    }
    return point;
}

PlanePoint scaled(const PlanePoint& point, double factor) {
    return {point.x * factor, point.y * factor};
}

PlanePoint sum(const PlanePoint& a, const PlanePoint& b) {
    return {a.x + b.x, a.y + b.y};
}

KeyMeasure measure(const Evaluation& evaluation, const VectorChoice& choice, double query_length, int key) {
    const AttentionTrace& trace = evaluation.trace;
    const std::span<const float> q = row_of(trace.scored_query(), choice.head, choice.query);
    const std::span<const float> k = row_of(trace.scored_key(), evaluation.problem->kv_head(choice.head), key);
    KeyMeasure measured;
    measured.is_hidden =
        evaluation.problem->hidden(static_cast<std::size_t>(choice.query), static_cast<std::size_t>(key)) != 0;
    measured.length = std::sqrt(dot(k, k));
    measured.dot = dot(q, k);
    const double lengths = query_length * measured.length;
    measured.cosine = lengths > 0 ? std::clamp(measured.dot / lengths, -1.0, 1.0) : kNoAngle;
    measured.degrees = portable::acos(measured.cosine) * (180 / 3.14159265358979323846);
    return measured;
}

// Tokens from the largest weight down, visible ones first; the first kMostArrows of them and the chosen key, ascending.
std::vector<int> drawn_tokens(const VectorPlane& plane) {
    const auto count = plane.measures.size();
    std::vector<int> tokens(count);
    std::iota(tokens.begin(), tokens.end(), 0);
    const auto comes_first = [&](int a, int b) {
        const KeyMeasure& first = plane.measures[static_cast<std::size_t>(a)];
        const KeyMeasure& second = plane.measures[static_cast<std::size_t>(b)];
        if (first.is_hidden != second.is_hidden) return second.is_hidden;
        return first.weight > second.weight;
    };
    std::stable_sort(tokens.begin(), tokens.end(), comes_first);
    if (count > kMostArrows) {
        tokens.resize(kMostArrows);
        const std::optional<int> key = plane.choice.key;
        if (key && std::find(tokens.begin(), tokens.end(), *key) == tokens.end()) tokens.back() = *key;
    }
    std::sort(tokens.begin(), tokens.end());
    return tokens;
}

void add_chain(const Evaluation& evaluation, const HeadPlanes& planes, VectorPlane& plane) {
    PlanePoint at;
    ChainLink others;
    others.num_keys = 0;
    PlanePoint others_step;
    const auto is_drawn = [&](int key) { return std::binary_search(plane.drawn.begin(), plane.drawn.end(), key); };
    for (int key = 0; key < static_cast<int>(plane.measures.size()); ++key) {
        const auto weight = static_cast<double>(plane.measures[static_cast<std::size_t>(key)].weight);
        if (weight == 0) continue;
        const std::span<const float> value =
            row_of(evaluation.trace.value, evaluation.problem->kv_head(plane.choice.head), key);
        const PlanePoint step = scaled(in_plane(value, planes.values), weight);
        if (!is_drawn(key)) {
            if (others.num_keys == 0) others.key = key;
            ++others.num_keys;
            others.weight += weight;
            others_step = sum(others_step, step);
            continue;
        }
        const PlanePoint to = sum(at, step);
        plane.chain.push_back({.key = key, .num_keys = 1, .weight = weight, .from = at, .to = to});
        at = to;
    }
    if (others.num_keys == 0) return;
    others.from = at;
    others.to = sum(at, others_step);
    plane.chain.push_back(others);
}

std::string percent(double share) {
    return concat(shown_number(share * 100, share > 0 && share < 0.1 ? 1 : 0), "%");
}

}  // namespace

VectorChoice vector_choice(const Evaluation& evaluation, const View& view) {
    const StageInfo& info = stage_info(view.stage);
    const int num_heads = evaluation.sizes.num_heads;
    VectorChoice choice;
    choice.head = view.head.value_or(view.cell && info.has_heads ? view.cell->head : 0);
    choice.head = std::clamp(choice.head, 0, num_heads - 1);
    const int last = evaluation.num_tokens() - 1;
    choice.query = view.cell ? std::clamp(view.cell->row, 0, last) : last;
    if (view.cell && info.columns == Axis::key_token) choice.key = std::clamp(view.cell->column, 0, last);
    return choice;
}

HeadPlanes head_planes(const Evaluation& evaluation, int head, const Plane& plane) {
    ATTN_CHECK(!evaluation.is_empty(), "an empty sentence has no vectors");
    const AttentionTrace& trace = evaluation.trace;
    const int head_dim = evaluation.sizes.head_dim();
    const int score_dim = evaluation.sizes.score_dim();
    const int shared = evaluation.problem->kv_head(head);
    const VectorSets keys = {head_of(trace.scored_query(), head), head_of(trace.scored_key(), shared)};
    const VectorSets values = {head_of(trace.value, shared)};
    const auto directions = [&](const VectorSets& sets, int width) {
        if (width > 2 && plane.is_principal) return principal_directions(sets, width);
        const bool has_choice = head_dim > 2;  // of channels that both drawings have
        return channel_directions(sets, width, has_choice ? plane.x : 0, has_choice ? plane.y : 1);
    };
    return {.keys = directions(keys, score_dim), .values = directions(values, head_dim)};
}

VectorPlane make_vector_plane(const Evaluation& evaluation, const VectorChoice& choice, const HeadPlanes& planes) {
    const AttentionProblem& problem = *evaluation.problem;
    const AttentionTrace& trace = evaluation.trace;
    VectorPlane plane;
    plane.choice = choice;
    plane.head_dim = evaluation.sizes.head_dim();
    plane.score_dim = evaluation.sizes.score_dim();
    plane.weights = weights_of_values(layer_parts(problem));
    const std::span<const float> query = row_of(trace.scored_query(), choice.head, choice.query);
    plane.query_length = std::sqrt(dot(query, query));
    plane.query_at = in_plane(query, planes.keys);
    const Vector weights = stage_row(problem, trace, plane.weights, choice.head, choice.query);
    for (int key = 0; key < evaluation.num_tokens(); ++key) {
        plane.measures.push_back(measure(evaluation, choice, plane.query_length, key));
        plane.measures.back().weight = weights(static_cast<std::size_t>(key));
    }
    plane.drawn = drawn_tokens(plane);
    for (const int token : plane.drawn) {
        plane.queries.push_back(in_plane(row_of(trace.scored_query(), choice.head, token), planes.keys));
        plane.keys.push_back(in_plane(row_of(trace.scored_key(), problem.kv_head(choice.head), token), planes.keys));
    }
    add_chain(evaluation, planes, plane);
    plane.context = in_plane(row_of(trace.context, choice.head, choice.query), planes.values);
    return plane;
}

std::string axis_name(const PlaneDirections& directions, bool is_y) {
    if (directions.is_principal()) return is_y ? "direction 2" : "direction 1";
    return concat("channel ", is_y ? directions.channel_y : directions.channel_x);
}

std::string plane_words(const PlaneDirections& directions) {
    if (directions.width() == 1) return "the only channel";
    if (directions.width() == 2) return "both channels";
    if (directions.is_principal()) {
        return concat("principal directions: ", percent(directions.share_x), " + ", percent(directions.share_y),
                      " of squared lengths");
    }
    return concat("channels ", directions.channel_x, " and ", directions.channel_y, " of ", directions.width(), ": ",
                  percent(directions.share_x + directions.share_y), " of squared lengths");
}

std::string dot_words(const VectorPlane& plane, int key) {
    const KeyMeasure& measured = plane.measures[static_cast<std::size_t>(key)];
    const std::string result = shown_number(measured.dot);
    if (std::isnan(measured.cosine)) return concat("q·k = ", result, ": no angle, a vector of length 0");
    return concat("q·k = |q| |k| cos θ = ", shown_number(plane.query_length), " × ", shown_number(measured.length),
                  " × ", shown_number(measured.cosine), " = ", result);
}

}  // namespace attn
