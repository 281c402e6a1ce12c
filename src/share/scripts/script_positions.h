// The lines of both scripts between the roles and the mask: positions added to X, norms of queries and keys, rotary
// positions, caps and ALiBi.
#pragma once

#include <string>
#include <string_view>

#include "playground/state/state.h"
#include "share/scripts/python_text.h"

namespace attn {

// "queries" and "keys", or what they are called once they are normed and positions have turned them.
std::string_view python_scored(const Inputs& inputs, TensorId role);

// The logits that the softmax takes in: "logits" or "capped_logits"; and the line that makes the latter, or nothing.
std::string_view python_softmax_logits(const Inputs& inputs);
void write_capped_logits(PythonText& python, const Inputs& inputs, std::string_view library);

// The scores that the mask takes in: "scaled_scores", "capped_scores" or "biased_scores".
std::string_view python_unmasked(const Inputs& inputs);

// "head_dim**0.5 * 0.7": what the scores are divided by; empty when by 1.
std::string python_divisor(const Inputs& inputs);

// What the absorbed queries are good for: a comment before them.
void write_absorbed_comment(PythonText& python, const Inputs& inputs);

// Sines and cosines, or rows of position_embedding, the table of learned positions, are added to x. Nothing without.
// `library` is "np." or "torch.".
void write_added_positions(PythonText& python, const Inputs& inputs, std::string_view library);

// Norms of queries and keys: q_norm and k_norm; normed_queries and normed_keys, by a function rms_of() that NumPy's way
// back calls, too. Nothing without.
void write_norm_weights(PythonText& python, const Inputs& inputs, std::string_view library);
void write_norms(PythonText& python, const Inputs& inputs, std::string_view library);

// Rotary positions: rotated_queries and rotated_keys, by a function turned() that NumPy's way back calls, too. ALiBi:
// biased_scores. Nothing without.
void write_rotation(PythonText& python, const Inputs& inputs, std::string_view library);
void write_score_changes(PythonText& python, const Inputs& inputs, std::string_view library);

}  // namespace attn
