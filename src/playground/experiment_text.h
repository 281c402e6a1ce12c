// The two experiments as tables of text: see view_text.h.
#pragma once

#include <vector>

#include "playground/view_text.h"

namespace attn {

// So many random pairs are drawn for the tables: they are made in one go.
inline constexpr int kMostPairsInText = 10000;

// view=dots: the variances for the listed d and the chosen one, the sentence with other head_dims, its rows as they
// are (at most kMaxExperimentTokens).
std::vector<TextTable> dot_tables(const PlaygroundState& state, const Evaluation& evaluation);

// view=softmax: each number with its softmax, plain and with the gain.
std::vector<TextTable> softmax_tables(const View& view);

}  // namespace attn
