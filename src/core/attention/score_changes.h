// What is done to a scaled score before the mask; the cap also to a logit. A cap keeps it between -cap and cap, however
// large it is: cap * tanh(score / cap), as Gemma 2 has it (2408.00118, section 2), and Bello et al. (1611.09940,
// equation 16) had it for logits; near 0 a score hardly changes. ALiBi: positions as a bias which falls with the
// distance, in each head at a slope of its own (Press, Smith, Lewis 2022, 2108.12409, section 3). Nothing is learned.
#pragma once

#include <cstddef>

namespace attn {

// In float, each step rounded as PyTorch does: score / cap, its hyperbolic tangent, times cap. cap > 0.
float capped(float score, float cap);
void cap_row(float cap, std::size_t count, float* row);

// How fast the capped number y rises with the score: 1 - (y / cap)^2. What the gradient is multiplied by on its way
// back.
float cap_slope(float y, float cap);

// The slope of head 0 to num_heads - 1: 2^(-8 (head + 1) / n) where num_heads is a power of two, n. Else n is the power
// of two below it, whose slopes come first, and the heads after them take every other slope of 2n heads, from its first
// on, as the paper's code does.
double alibi_slope(int head, int num_heads);

// What key j adds to the scaled score of query i: -slope |i - j|, in float. Under a causal mask that is the paper's
// -slope (i - j); a key after its query, which only a sentence without that mask shows, is as far away as one before.
inline float alibi_bias(float slope, int i, int j) {
    return -slope * static_cast<float>(i < j ? j - i : i - j);
}

}  // namespace attn
