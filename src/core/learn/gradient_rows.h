// The rows of every stage that belongs to a goal: what BackwardPass keeps, and what follows from it, made when asked
// for by the same steps in the same order as BackwardPass makes them.
#pragma once

#include <span>

#include "core/learn/gradients.h"

namespace attn {

// Row `row` of `stage` (needs_goal) for `head` (0 for stages without heads) of a problem that has the stage; the trace
// has its gradients. `numbers` is as wide as the stage: (V), (d_out), (head_dim), (T) or (d_in).
void make_gradient_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head, int row,
                       std::span<float> numbers);

// Row `row` of the gradient of a matrix or bias (row 0): of all sentences of a batch together, where somebody added
// them up, or of this one alone.
std::span<const float> parameter_gradient_row(const AttentionTrace& trace, TensorId stage, int row, bool is_of_batch);

// What the softmax takes off every gradient on the way back through a row: the sum of gradient * weight over the keys
// that the query sees.
float average_gradient(const AttentionProblem& problem, const AttentionTrace& trace, int head, int row);

}  // namespace attn
