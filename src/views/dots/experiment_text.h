// The two experiments in words and as tables of text: see view_text.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "playground/text/text_table.h"
#include "views/dots/dot_experiment.h"

namespace attn {

// One of the three numbers whose spreads are compared.
struct DotSeries {
    std::string_view title;        // "q·k / √d"
    double (*divisor)(double d);   // of q·k
    std::string_view expectation;  // of the variance, in symbols
};
std::span<const DotSeries> dot_series();

// The variance of the pairs drawn so far, at least 2; and its limit for infinitely many.
double variance_of(const DotExperiment& pairs, const DotSeries& series, int d);
double expected_variance(const DotSeries& series, int d);

// Whole numbers without decimals, others with four.
std::string variance_text(double variance);

// "expected 1 / d = 0.0156", "expected 1".
std::string expectation_text(const DotSeries& series, int d);

// "1,000 pairs of vectors, every number from a normal distribution ...", and the same in PyTorch.
std::string pairs_in_words(const std::string& count);
std::string pairs_in_torch(const View& view);

// How many random pairs the tables use: they are drawn in one go.
inline constexpr int kMostPairsInText = 10000;

// view=dots: the variances for the listed d and the chosen one, the sentence with other head_dims, its rows as they
// are (at most kMaxExperimentTokens).
std::vector<TextTable> tables_of_dots(const PlaygroundState& state, const Evaluator& evaluator);

// view=softmax: each number with its softmax, plain and with the gain.
std::vector<TextTable> tables_of_softmax(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
