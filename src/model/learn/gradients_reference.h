// The gradient of a model's loss at each of its numbers, in double with plain loops, layer by layer from the logits
// down: read this before batch_pass.h, which must agree with it. Each layer's attention is the core's problem, and its
// gradients are those of core/learn.
#pragma once

#include <vector>

#include "model/learn/batch_pass.h"
#include "model/learn/learned_numbers.h"

namespace attn {

struct ModelGradients {
    double loss = 0;                // the mean over all tokens of -ln(probability of the next token)
    std::vector<double> gradients;  // at each number, in the layout's order
};

// Of numbers in the layout's order. A layer's input is rounded to float once, where it becomes the core's problem; all
// else is double.
ModelGradients model_gradients_reference(const LearnedLayout& layout, std::span<const float> numbers,
                                         const TextBatch& batch);

// The loss alone, all in double (forward_reference.h).
double model_loss_reference(const LearnedLayout& layout, std::span<const float> numbers, const TextBatch& batch);

// The loss with the number at `place` moved up and down by about kNudge, knowing nothing of the backward pass.
// `epsilon` is how far the float moved: half the way from the lower to the upper one.
struct ModelNudge {
    double epsilon = 0, up = 0, down = 0;
    double slope() const { return (up - down) / (2 * epsilon); }
};
ModelNudge nudge_number(const LearnedLayout& layout, std::span<const float> numbers, const TextBatch& batch,
                        std::size_t place);

}  // namespace attn
