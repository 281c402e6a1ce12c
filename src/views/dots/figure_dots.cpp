// view=dots: the variance of random dot products against d, the histograms for one d, and the effect of the scale on
// the visitor's own sentence.
#include "views/dots/figure_dots.h"

#include <algorithm>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "views/dots/dots_scene.h"
#include "views/dots/experiment_text.h"

namespace attn {
namespace {

constexpr double kWidth = 780;

FigureBlock head_dims_block(const FigureTask& task) {
    TextTable table = {
        "", {"head_dim", "variance of q·k", "÷ √d", "entropy of q·k, bits", "÷ √d", "largest of q·k", "÷ √d"}, {}};
    for (const HeadDimStep& step : vary_head_dim(task.state.inputs, task.evaluation)) {
        table.rows.push_back({concat(step.head_dim), shown_number(step.variance, 3),
                              shown_number(step.scaled_variance, 3), shown_number(step.unscaled.entropy, 3),
                              shown_number(step.scaled.entropy, 3), shown_number(step.unscaled.largest, 3),
                              shown_number(step.scaled.largest, 3)});
    }
    std::string remark =
        "One head, drawn from the present init and seed. Entropy and largest weight are means over the rows.";
    if (task.evaluation.num_tokens() > kMaxExperimentTokens) {
        remark += concat(" The first ", kMaxExperimentTokens, " of ", with_thousands(task.evaluation.num_tokens()),
                         " tokens are looked at.");
    }
    FigureBlock block = heading_block(task, std::nullopt, "Your sentence as head_dim changes", "", kWidth);
    block = stacked_blocks(std::move(block),
                           text_block(remark, kWidth, {.ink = task.colors.soft_ink, .size = kFigureSmall}, 2), 0);
    return stacked_blocks(std::move(block), table_block(task, table), 4);
}

FigureBlock rows_block(const FigureTask& task) {
    const Evaluation& evaluation = task.evaluation;
    const int asked = task.options.head.value_or(task.view().head.value_or(0));
    const int head = std::min(asked, evaluation.sizes.num_heads - 1);
    TextTable table = {"", {"query", "entropy ÷ √d, bits", "÷ 1", "÷ d", "largest weight ÷ √d", "÷ 1", "÷ d"}, {}};
    const int num_rows = std::min(evaluation.num_tokens(), kMaxExperimentTokens);
    for (int row = 0; row < num_rows; ++row) {
        const ScaleSpreads spreads = vary_scale(evaluation, head, row);
        table.rows.push_back({token_text(evaluation, row), shown_number(spreads.sqrt.entropy, 3),
                              shown_number(spreads.none.entropy, 3), shown_number(spreads.dim.entropy, 3),
                              shown_number(spreads.sqrt.largest, 3), shown_number(spreads.none.largest, 3),
                              shown_number(spreads.dim.largest, 3)});
    }
    FigureBlock block =
        heading_block(task, task.head(head),
                      concat("The numbers as they are: head ", head + 1, ", head_dim = ", evaluation.sizes.head_dim()),
                      num_rows < evaluation.num_tokens() ? concat("first ", num_rows, " tokens") : "", kWidth);
    return stacked_blocks(std::move(block), table_block(task, table), 2);
}

}  // namespace

Result<Figure> figure_of_dots(const FigureTask& task) {
    const View& view = task.view();
    const int count = std::min(view.pairs, kMostPairsInText);
    DotExperiment pairs(count, view.pairs_seed, view.pairs_dim);
    pairs.draw(count);
    const std::string products =
        concat("The ", with_thousands(count), " dot products at d = ", with_thousands(pairs.dim()));
    FigureBlock picture = variance_scene(task, pairs, kWidth, 240);
    picture = stacked_blocks(std::move(picture), heading_block(task, std::nullopt, products, "", kWidth), 14);
    picture = stacked_blocks(std::move(picture), histograms_scene(task, pairs, kWidth), 4);
    picture = stacked_blocks(std::move(picture), head_dims_block(task), 18);
    picture = stacked_blocks(std::move(picture), rows_block(task), 18);

    FigureWords words;
    words.title = "Why scores are divided by √d";
    words.subtitle = concat(pairs_in_words(with_thousands(count)), " ", pairs_in_torch(view));
    if (count < view.pairs) {
        words.remarks.push_back(
            concat("The picture has the first ", with_thousands(count), " of ", with_thousands(view.pairs), " pairs."));
    }
    words.description = concat("Sentence: ", quoted_sentence(task));
    return finished_figure(task, std::move(words), std::move(picture));
}

}  // namespace attn
