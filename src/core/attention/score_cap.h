// Scores that stay between -cap and cap, however large they are: cap * tanh(score / cap), as Gemma 2 has it
// (2408.00118, section 2), and Bello et al. (1611.09940, equation 16) had it for logits. Near 0 a score hardly changes.
#pragma once

#include <cstddef>

namespace attn {

// In float, each step rounded as PyTorch does: score / cap, its hyperbolic tangent, times cap. cap > 0.
float capped(float score, float cap);
void cap_row(float cap, std::size_t count, float* row);

// How fast the capped number y rises with the score: 1 - (y / cap)^2. What the gradient is multiplied by on its way
// back.
float cap_slope(float y, float cap);

}  // namespace attn
