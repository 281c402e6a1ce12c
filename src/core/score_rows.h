// The (T, T) stages row by row, from the scores to the dropped weights: made from the raw scores when asked for, always
// by the same steps in the same order, so that they have the same bits each time.
#pragma once

#include <span>

#include "core/attention.h"

namespace attn {

// Whether the stage is one of these.
bool is_score_row(TensorId stage);

// Makes row i of `stage` of head h in `row` (T). The problem has the stage; the trace has scores and keep mask.
void make_score_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int h, int i,
                    std::span<float> row);

}  // namespace attn
