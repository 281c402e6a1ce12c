// The lines of both scripts that put positions into the scores: rotary positions and ALiBi.
#pragma once

#include <string_view>

#include "playground/state/state.h"
#include "share/scripts/python_text.h"

namespace attn {

// "queries" and "keys", or what they are called once positions have turned them.
std::string_view python_scored(const Inputs& inputs, TensorId role);

// The scores that the mask takes in: "scaled_scores" or "biased_scores".
std::string_view python_unmasked(const Inputs& inputs);

// Rotary positions: rotated_queries and rotated_keys, by a function turned() that NumPy's way back calls, too. ALiBi:
// biased_scores. Nothing without. `library` is "np." or
// "torch.".
void write_rotation(PythonText& python, const Inputs& inputs, std::string_view library);
void write_bias(PythonText& python, const Inputs& inputs, std::string_view library);

}  // namespace attn
