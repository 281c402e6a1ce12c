// Multi-head attention, fast: float, xtensor containers, SIMD kernels. Its plain twin is attend_reference.
#pragma once

#include "core/attention/attention.h"

namespace attn {

// Checks the shapes of `problem`, then computes every stage. Cost: O(T d_in d_out + T^2 d_out). In slices, and with
// what an earlier problem left: AttentionWork.
AttentionTrace attend(const AttentionProblem& problem);

// One stage as the matrix of one head: (T, T), (T, head_dim), (T, d_in) or (T, d_out). `head` is 0 for stages without
// heads. The (T, T) stages after the scores are derived here. Hidden cells are -inf in masked_scores and 0 in weights.
// The stage must be ready.
Matrix stage_matrix(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head);

// One row of it: row i of the stage for `head`.
Vector stage_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head, int row);

}  // namespace attn
