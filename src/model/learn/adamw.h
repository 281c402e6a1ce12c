// AdamW with a rate that changes from step to step, and gradients that are cut to a length before it (Loshchilov and
// Hutter 2019, algorithm 2; Pascanu et al. 2013, algorithm 1): torch.optim.AdamW and torch.nn.utils.clip_grad_norm_
// with their order of operations. Where the settings are PyTorch's, it gives the bits of core/learn/optimizer.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn {

struct AdamWSettings {
    double beta1 = 0.9, beta2 = 0.999;  // from 0 to below 1
    double epsilon = 1e-8;
    double decay = 0.01;  // of the numbers that shrink: rate * decay of themselves in a step
};

// How the rate goes: up in a straight line for `warm_up` steps, to `highest`, multiplied by a half cosine that falls
// from 1 to 0 over all steps, plus `least`.
struct RateCurve {
    double highest = 0.003, least = 1e-5;
    int warm_up = 100, num_steps = 1000;

    double rate(int step) const;  // of step 0, 1, ...
};

// The root of the sum of squares, in double, one after the other.
double gradient_length(std::span<const float> gradients);

// Multiplies all by most / (length + 1e-6) where that is below 1. Returns the length before.
double cut_gradients(std::span<float> gradients, double most);

// Numbers `begin` to `end` of the row.
struct NumberRange {
    std::size_t begin = 0, end = 0;
};

class AdamW {
public:
    AdamW(const AdamWSettings& settings, std::size_t num_numbers)
        : settings_(settings), mean_(num_numbers), mean_square_(num_numbers) {}

    // One step of all numbers at this rate; those of `shrinking`, in order and apart, decay.
    void step(double rate, std::span<const float> gradients, std::span<float> numbers,
              std::span<const NumberRange> shrinking);

    int num_steps() const { return num_steps_; }
    std::span<const float> mean() const { return mean_; }
    std::span<const float> mean_square() const { return mean_square_; }

    // Goes on from there: the same bits as without the pause.
    void go_to(int num_steps, std::span<const float> mean, std::span<const float> mean_square);

private:
    AdamWSettings settings_;
    std::vector<float> mean_, mean_square_;
    int num_steps_ = 0;
    double power1_ = 1, power2_ = 1;  // beta^num_steps
};

}  // namespace attn
