// The next token: drawn from the logits as PyTorch draws it, so that a notebook with the same seed goes on with the
// same words.
#pragma once

#include <span>
#include <vector>

#include "core/ground/random.h"

namespace attn {

struct Sampling {
    double temperature = 1;  // >= 0; logits are divided by it; 0: always the most likely token
    int top_k = 0;           // >= 0; only so many of the most likely ones; 0: all
    double top_p = 1;        // 0 < top_p <= 1; only the most likely ones that together have this much, at least one
};

// What is drawn from: the softmax of the logits that are left, divided by the temperature; 0 for all others. First
// top_k (as many as have the logit of the last of them, too), then the temperature, then top_p (Holtzman et al. 2020).
std::vector<float> sampling_probabilities(std::span<const float> logits, const Sampling& sampling);

// torch.multinomial(probabilities, num_samples=1) on a CPU without MKL: for each token a number q of the exponential
// distribution, and the first of those with the largest probability / q.
int draw_token(std::span<const float> probabilities, TorchGenerator& generator);

// Both. With a temperature of 0 the first of the largest logits, and nothing is drawn.
int next_token(std::span<const float> logits, const Sampling& sampling, TorchGenerator& generator);

}  // namespace attn
