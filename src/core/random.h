// PyTorch's CPU random numbers, so that the same seed gives the numbers of a notebook.
// The standard distributions are not used: the C++ standard does not fix their results.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>

#include "core/tensor.h"

namespace attn {

// torch.manual_seed(seed), then draws in order. MT19937 seeded with the low 32 bits of the seed, as PyTorch does.
class TorchGenerator {
public:
    explicit TorchGenerator(std::uint64_t seed);

    std::uint32_t draw32();
    std::uint64_t draw64();    // two 32-bit draws, the first is the high half
    float uniform24();         // torch.rand's float: low 24 bits of one draw / 2^24, in [0, 1)
    double uniform53();        // low 53 bits of draw64 / 2^53, in [0, 1)
    double normal();           // Box-Muller on two uniform53; the sine half is kept for the next call

private:
    std::mt19937 engine_;
    std::optional<double> cached_normal_;
};

// torch.rand: values in [0, 1), one draw an element, row-major.
void fill_rand(TorchGenerator& generator, std::span<float> values);

// Tensor.uniform_(low, high): u * (high - low) + low in float.
void fill_uniform(TorchGenerator& generator, std::span<float> values, float low, float high);

// torch.randn: 16 elements or more in blocks of 16, fewer by pairs (two regimes, see the source).
void fill_randn(TorchGenerator& generator, std::span<float> values);

// Which elements nn.Dropout(p) keeps: 1 where uniform53 < 1 - p. `skip` elements are drawn and thrown away first
// (the earlier sentences of a batch). PyTorch builds differ here between platforms.
void fill_keep_mask(TorchGenerator& generator, std::span<std::uint8_t> keep, double dropout, std::uint64_t skip);

}  // namespace attn
