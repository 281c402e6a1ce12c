// view=dots: the variance of random dot products against d, the histograms for one d, and what the scale does to the
// visitor's own sentence.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "playground/experiment_text.h"
#include "playground/format.h"
#include "playground/notes.h"
#include "playground/stage_labels.h"
#include "share/figure_plot.h"
#include "share/figure_views.h"

namespace attn {
namespace {

constexpr double kWidth = 780;

// The mark of each of the dot_series(); its colour is that of the head of the same number.
constexpr std::array<FigureMark, 3> kMarks = {FigureMark::disc, FigureMark::square, FigureMark::diamond};

FigureBlock key_of_marks(const FigureTask& task) {
    const TextLook look = {.ink = task.colors.soft_ink, .size = kFigureSmall};
    FigureBlock block;
    block.height = 18;
    double x = 0;
    for (std::size_t s = 0; s < kMarks.size(); ++s) {
        const std::string text = concat("variance of ", dot_series()[s].title);
        draw_mark(block, {x + 5, 9}, kMarks[s], task.head(static_cast<int>(s)), 4);
        draw_text_at_middle(block, x + 15, 9, text, look);
        x += 15 + text_width(text, look.size) + 20;
    }
    draw_line(block, {x, 9}, {x + 24, 9}, task.colors.soft_ink, 1, {4, 4});
    draw_text_at_middle(block, x + 32, 9, "expected", look);
    block.width = x + 32 + text_width("expected", look.size);
    return block;
}

FigureBlock variance_block(const FigureTask& task, const DotExperiment& pairs) {
    FigurePlot plot(task, kWidth, 240,
                    {.low = 1,
                     .high = kMaxPairsDim,
                     .is_log = true,
                     .ticks = {1, 2, 5, 10, 20, 50, 100, 200, 512},
                     .title = "d, numbers in each vector"},
                    {.low = 0.001, .high = 1000, .is_log = true, .ticks = {0.001, 0.01, 0.1, 1, 10, 100, 1000}});
    plot.cursor(pairs.dim(), mixed(task.colors.line, task.colors.accent, 0.5F));
    for (std::size_t s = 0; s < kMarks.size(); ++s) {
        const DotSeries& series = dot_series()[s];
        const Rgb color = task.head(static_cast<int>(s));
        plot.dashes({1, expected_variance(series, 1)}, {kMaxPairsDim, expected_variance(series, kMaxPairsDim)});
        std::vector<FigurePoint> points;
        for (int d = 1; d <= kMaxPairsDim; ++d) {
            points.push_back({static_cast<double>(d), variance_of(pairs, series, d)});
        }
        plot.line(points, color, 1.5);
        for (const int d : listed_dims()) {
            const double variance = variance_of(pairs, series, d);
            plot.mark({static_cast<double>(d), variance}, kMarks[s], color, 3.5,
                      concat("d = ", d, ", variance of ", series.title, ": ", variance_text(variance)));
        }
    }
    return stacked_blocks(key_of_marks(task), std::move(plot).block(), 4);
}

// All three on one axis, so that their spreads can be compared; each in bins of a quarter of its own expected spread.
FigureBlock histogram_block(const FigureTask& task, const DotExperiment& pairs, std::size_t index, double width) {
    constexpr int kBins = 32;
    constexpr double kLine = 17;
    const DotSeries& series = dot_series()[index];
    const Rgb color = task.head(static_cast<int>(index));
    const int d = pairs.dim();
    const double reach = 4 * std::sqrt(expected_variance(series, d));
    const double axis = 4 * std::sqrt(static_cast<double>(d));
    FigureBlock words;
    words.width = width;
    words.height = 3 * kLine;
    draw_mark(words, {5, kLine / 2}, kMarks[index], color, 4);
    draw_text_at_middle(words, 15, kLine / 2, series.title,
                        {.ink = task.colors.ink, .size = kFigureHeading, .font = FigureFont::sans_bold});
    draw_text_at_middle(words, 0, 1.5 * kLine, concat("variance ", variance_text(variance_of(pairs, series, d))),
                        {.ink = task.colors.ink});
    draw_text_at_middle(words, 0, 2.5 * kLine, expectation_text(series, d),
                        {.ink = task.colors.soft_ink, .size = kFigureSmall});

    const std::vector<int> bins = histogram(pairs.products(), series.divisor(d), reach, kBins);
    const int fullest = std::max(1, *std::max_element(bins.begin(), bins.end()));
    const double end = axis >= 10 ? std::round(axis) : std::round(axis * 10) / 10;
    FigurePlot plot(task, width, 130, {.low = -axis, .high = axis, .ticks = {-end, 0, end}},
                    {.low = 0, .high = static_cast<double>(fullest)});
    const auto edge = [&](int bin) { return reach * (2.0 * bin / kBins - 1); };
    for (int bin = 0; bin < kBins; ++bin) {
        const int count = bins[static_cast<std::size_t>(bin)];
        plot.bar(
            edge(bin), edge(bin + 1), count, color,
            concat(shown_number(edge(bin), 2), " to ", shown_number(edge(bin + 1), 2), ": ", with_thousands(count)));
    }
    return stacked_blocks(std::move(words), std::move(plot).block(), 4);
}

FigureBlock histograms_block(const FigureTask& task, const DotExperiment& pairs) {
    constexpr double kGap = 24;
    const double width = (kWidth - 2 * kGap) / static_cast<double>(kMarks.size());
    FigureBlock block;
    for (std::size_t s = 0; s < kMarks.size(); ++s) {
        place_block(block, histogram_block(task, pairs, s, width), {static_cast<double>(s) * (width + kGap), 0});
    }
    return block;
}

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
    FigureBlock picture = variance_block(task, pairs);
    picture = stacked_blocks(std::move(picture), heading_block(task, std::nullopt, products, "", kWidth), 14);
    picture = stacked_blocks(std::move(picture), histograms_block(task, pairs), 4);
    picture = stacked_blocks(std::move(picture), head_dims_block(task), 18);
    picture = stacked_blocks(std::move(picture), rows_block(task), 18);

    FigureWords words;
    words.title = "Why scores are divided by √d";
    words.subtitle = concat(pairs_in_words(with_thousands(count)), " ", pairs_in_torch(view));
    if (count < view.pairs) {
        words.remarks.push_back(
            concat("Drawn from the first ", with_thousands(count), " of ", with_thousands(view.pairs), " pairs."));
    }
    words.description = concat("Sentence: ", quoted_sentence(task));
    return finished_figure(task, std::move(words), std::move(picture));
}

}  // namespace attn
