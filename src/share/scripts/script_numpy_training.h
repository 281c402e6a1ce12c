// The part of the NumPy script behind the forward pass: the loss, the backward pass written out, and the steps of
// training. core/operations says the same in C++.
#pragma once

#include <vector>

#include "playground/state/state.h"
#include "share/scripts/script_parts.h"

namespace attn {

// The rest of attention(): from the loss back to the embeddings. Wants the variables of the forward pass, `num_terms`,
// and what the goal names. The function returns the loss, its stages and the gradients at what can learn.
void write_backward_pass(PythonText& python, const PlaygroundState& state,
                         const std::vector<ScriptSentence>& sentences);

// `num_terms`: over how many terms of all sentences the loss is a mean.
void write_num_terms(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences);

// Leaves `stages`, by sentence where there are several `all_stages`, and `gradients`, those at the matrices and biases,
// of the numbers after `steps_taken` steps.
void write_numpy_training(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences,
                          int steps_taken);

}  // namespace attn
