// Words and tables of the softmax and the dot-product experiments.
#include "views/dots/experiment_text.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "views/softmax/softmax_experiment.h"

namespace attn {
namespace {

constexpr DotSeries kSeries[] = {{"q·k", [](double) { return 1.0; }, "d"},
                                 {"q·k / √d", [](double d) { return std::sqrt(d); }, "1"},
                                 {"q·k / d", [](double d) { return d; }, "1 / d"}};

TextTable pairs_table(const View& view) {
    const int count = std::min(view.pairs, kMostPairsInText);
    DotExperiment pairs(count, view.pairs_seed, view.pairs_dim);
    pairs.draw(count);
    TextTable table = {concat("variance over ", with_thousands(count), " random pairs of query and key"),
                       {"d", "q·k", "expected", "q·k / √d", "expected", "q·k / d", "expected"},
                       {}};
    std::set<int> dims(listed_dims().begin(), listed_dims().end());
    dims.insert(view.pairs_dim);
    for (const int d : dims) {
        const double variance = pairs.variance(d);
        table.rows.push_back({concat(d), shown_number(variance), concat(d), shown_number(variance / d), "1",
                              shown_number(variance / d / d), shown_number(1.0 / d)});
    }
    return table;
}

TextTable head_dims_table(const Inputs& inputs, const Evaluation& evaluation) {
    TextTable table = {"this sentence with one head of another head_dim; means over the rows",
                       {"head_dim", "variance of q·k", "of q·k / √d", "entropy from q·k, bits",
                        "entropy from q·k / √d, bits", "largest weight from q·k", "largest weight from q·k / √d"},
                       {}};
    for (const HeadDimStep& step : vary_head_dim(inputs, evaluation)) {
        table.rows.push_back({concat(step.head_dim), shown_number(step.variance), shown_number(step.scaled_variance),
                              shown_number(step.unscaled.entropy), shown_number(step.scaled.entropy),
                              shown_number(step.unscaled.largest), shown_number(step.scaled.largest)});
    }
    return table;
}

TextTable rows_table(const View& view, const Evaluation& evaluation) {
    const int head = std::min(view.head.value_or(0), evaluation.sizes.num_heads - 1);
    TextTable table = {concat("the rows of head ", head + 1, " with each scale"),
                       {"query", "entropy, ÷ √d", "÷ 1", "÷ d", "largest weight, ÷ √d", "÷ 1", "÷ d"},
                       {}};
    const int rows = std::min(evaluation.num_tokens(), kMaxExperimentTokens);
    for (int row = 0; row < rows; ++row) {
        const auto [sqrt, none, dim] = vary_scale(evaluation, head, row);
        table.rows.push_back({evaluation.tokens.tokens[static_cast<std::size_t>(row)].text, shown_number(sqrt.entropy),
                              shown_number(none.entropy), shown_number(dim.entropy), shown_number(sqrt.largest),
                              shown_number(none.largest), shown_number(dim.largest)});
    }
    return table;
}

}  // namespace

std::span<const DotSeries> dot_series() {
    return kSeries;
}

double variance_of(const DotExperiment& pairs, const DotSeries& series, int d) {
    const double divisor = series.divisor(d);
    return pairs.variance(d) / (divisor * divisor);
}

double expected_variance(const DotSeries& series, int d) {
    const double divisor = series.divisor(d);
    return d / (divisor * divisor);
}

std::string variance_text(double variance) {
    const bool is_whole = std::abs(variance - std::round(variance)) < 1e-9 && variance > 0.5;
    return shown_number(variance, is_whole ? 0 : 4);
}

std::string expectation_text(const DotSeries& series, int d) {
    const std::string number = variance_text(expected_variance(series, d));
    if (series.expectation == number) return concat("expected ", number);
    return concat("expected ", series.expectation, " = ", number);
}

std::string pairs_in_words(const std::string& count) {
    return concat(count,
                  " pairs of vectors, every number from a normal distribution of mean 0 and variance 1; the first d "
                  "numbers of each are used.");
}

std::string pairs_in_torch(const View& view) {
    return concat("In PyTorch: torch.manual_seed(", view.pairs_seed, "); x = torch.randn(", view.pairs,
                  ", 2, 512); q, k = x[:, 0, :d], x[:, 1, :d]");
}

std::vector<TextTable> tables_of_dots(const PlaygroundState& state, const Evaluator& evaluator) {
    const Evaluation& evaluation = evaluator.shown();
    return {pairs_table(state.view), head_dims_table(state.inputs, evaluation), rows_table(state.view, evaluation)};
}

std::vector<TextTable> tables_of_softmax(const PlaygroundState& state, const Evaluator&) {
    const View& view = state.view;
    const Softmax plain = softmax_of(view.vector, 1);
    const Softmax gained = softmax_of(view.vector, view.gain);
    TextTable table = {"softmax of a vector, and of the same vector times a gain",
                       {"number", "x", "softmax(x)", concat("softmax(", exact_number(view.gain), " · x)")},
                       {}};
    for (std::size_t i = 0; i < view.vector.size(); ++i) {
        table.rows.push_back({concat("x", i), shown_number(static_cast<double>(view.vector[i])),
                              shown_number(plain.weights[i]), shown_number(gained.weights[i])});
    }
    table.rows.push_back({"sum", "", shown_number(plain.sum), shown_number(gained.sum)});
    table.rows.push_back({"largest", "", shown_number(plain.weights[static_cast<std::size_t>(plain.largest)]),
                          shown_number(gained.weights[static_cast<std::size_t>(gained.largest)])});
    return {table};
}

}  // namespace attn
