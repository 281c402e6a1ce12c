// Multi-head attention on one page, in double precision with a loop for each index, for a reader to begin with. Vaswani
// et al. 2017, section 3.2. It knows one kind of layer; core/operations knows all, and must agree with it.
#pragma once

#include "core/attention/attention.h"

namespace attn {

struct ReferenceAttention {
    CubeD weights;   // (num_heads, T, T)
    MatrixD merged;  // (T, d_out), the context vectors of all heads side by side
};

// softmax(Q K^T / sqrt(head_dim)) V of each head, with Q = X W_q, K = X W_k, V = X W_v and the mask before the softmax.
// `problem` has matrices, as many key heads as heads, a scale of sqrt and a temperature of 1; no biases, latents,
// positions, sinks, dropout or typed numbers.
ReferenceAttention attend_reference(const AttentionProblem& problem);

}  // namespace attn
