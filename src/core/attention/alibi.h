// ALiBi: positions as a bias of the scaled scores, which falls with the distance, in each head at a slope of its own
// (Press, Smith, Lewis 2022, 2108.12409, section 3). Nothing is learned, and nothing is added to the embeddings.
#pragma once

namespace attn {

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
