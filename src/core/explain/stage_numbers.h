// Any number of any stage of a trace.
#pragma once

#include "core/attention/attention.h"

namespace attn {

// One stage as the matrix of one head: (T, T), (T, head_dim), (T, d_in), (T, d_out), (T, V), or the
// shape of the matrix or bias whose gradient it is. `head` is 0 for stages without
// heads. The (T, T) stages after the scores are derived here. Hidden cells are -inf in masked_scores and 0 in weights.
// The stage must be ready.
Matrix stage_matrix(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head);

// One row of it: row i of the stage for `head`.
Vector stage_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head, int row);

// One number of it: without making a row where the stage is kept.
float stage_number(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head, int row,
                   int column);

}  // namespace attn
