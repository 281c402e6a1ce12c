// The (T, T) stages row by row, from the scores to the dropped weights: made from queries and keys when asked for,
// always by the same steps in the same order, so that they have the same bits each time.
#pragma once

#include <span>

#include "core/attention/attention.h"
#include "core/fast/head_attention.h"

namespace attn {

// Whether the stage is one of these.
bool is_score_row(TensorId stage);

// From the scores of row i (T) to one of the stages that is_score().
void finish_scores(HeadProblem head, TensorId stage, std::size_t i, std::span<float> row);

// Head h of a problem whose trace has query, key and value. `visible` (T), see HeadProblem, and all that is pointed to
// stay the caller's.
HeadProblem head_problem(const AttentionProblem& problem, const AttentionTrace& trace, int h,
                         std::span<const int> visible);

// Makes rows `first` to `end` of `stage` of head h in `rows` (end - first, T). The problem has the stage; the trace has
// query and key, and for dropped_weights the keep mask. Weights that are ready are copied.
void make_score_rows(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int h, int first,
                     int end, std::span<float> rows);

}  // namespace attn
