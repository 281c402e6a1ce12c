// Multi-head attention, fast: float, xtensor containers, SIMD kernels. Its plain twin is core/operations.
#pragma once

#include "core/attention/attention.h"

namespace attn {

// Checks the shapes of `problem`, then computes every stage. Cost: O(T d_in d_out + T^2 d_out). In slices, and with
// what an earlier problem left: AttentionWork.
AttentionTrace attend(const AttentionProblem& problem);

}  // namespace attn
