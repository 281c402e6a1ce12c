// A state as the class of the lectures that computes it: SelfAttention_v1 or _v2, CausalAttention, MultiHeadAttention.
#pragma once

#include <string>

#include "core/ground/result.h"
#include "playground/state/state.h"

namespace attn {

// PyTorch: the class with the lines that the state needs, the same matrices drawn in its constructor after
// torch.manual_seed, what was typed over, and its output for each sentence. Which class:
//
//   one head, no mask, no dropout, no output projection   SelfAttention_v2, or _v1 where matrices are nn.Parameter
//   one head, no output projection                        CausalAttention
//   else                                                  MultiHeadAttention
//
// The first two take (T, d_in), the others (b, T, d_in). Positions that are added stand before the class. The error is
// a sentence: what the lectures' classes do not have (rotary positions, latents, ...), a state with training steps, no
// tokens, or too many pasted numbers (kMaxScriptBytes).
Result<std::string> script_class(const PlaygroundState& state);

// Why there is no such script of these inputs, in a sentence; empty where there is one.
std::string find_class_problem(const Inputs& inputs);

}  // namespace attn
