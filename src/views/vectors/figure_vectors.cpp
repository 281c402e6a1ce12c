// view=vectors as a figure: the two drawings, the arithmetic of the pinned key, and the list of the keys.
#include "views/vectors/figure_vectors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "scene/kit/figure_text.h"
#include "views/vectors/vectors_scene.h"

namespace attn {
namespace {

constexpr double kPanel = VectorsLayout().width;
constexpr double kBetween = 28;

struct Vectors {
    const FigureTask& task;
    const VectorPlane& plane;
};

// "q·k = ..." of the pinned key.
FigureBlock product_block(const Vectors& vectors) {
    const std::optional<int> key = vectors.plane.choice.key;
    if (!key || !vectors.task.has_values()) return {};
    const KeyMeasure& measure = vectors.plane.measures[static_cast<std::size_t>(*key)];
    std::string words = dot_words(vectors.plane, *key);
    if (!std::isnan(measure.degrees)) words += concat("   θ = ", shown_number(measure.degrees, 1), "°");
    if (vectors.plane.is_projection()) words += concat("   (all ", vectors.plane.score_dim, " channels)");
    const Evaluation& evaluation = vectors.task.evaluation;
    const std::string title =
        concat(from_to(token_text(evaluation, vectors.plane.choice.query), token_text(evaluation, *key)),
               measure.is_hidden ? " (masked)" : "");
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
        const KeyMeasure& measure = vectors.plane.measures[static_cast<std::size_t>(key)];
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
    const HeadPlanes planes = head_planes(task.evaluation, choice.head, task.view().plane);
    const VectorPlane plane = make_vector_plane(task.evaluation, choice, planes);
    const Vectors vectors = {.task = task, .plane = plane};
    const VectorsDrawn drawn = {.evaluation = task.evaluation, .planes = planes, .plane = plane};
    const VectorsLayout layout = {.has_values = task.has_values(), .shown_key = choice.key};
    FigureBlock picture = keys_scene(task, drawn, layout);
    place_block(picture, chain_scene(task, drawn, layout), {kPanel + kBetween, 0});
    picture = stacked_blocks(std::move(picture), product_block(vectors), 14);
    picture = stacked_blocks(std::move(picture), list_block(vectors), 14);

    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle = concat("Head ", choice.head + 1, " · query “",
                            vector_label(task, task.evaluation, choice.query, {.ink = task.colors.ink}),
                            "”: queries and keys as arrows, the context as the chain of the weighted values");
    if (vectors.plane.num_left_out() > 0) {
        words.remarks.push_back(concat("Only the ", vectors.plane.drawn.size(), " of ",
                                       with_thousands(static_cast<std::int64_t>(vectors.plane.measures.size())),
                                       " keys with the largest weights are drawn."));
    }
    return finished_figure(task, std::move(words), std::move(picture));
}

}  // namespace attn
