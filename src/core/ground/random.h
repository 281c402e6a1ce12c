// PyTorch's CPU random numbers, so that the same seed gives the numbers of a notebook.
// The standard distributions are not used: the C++ standard does not fix their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>

namespace attn {

// torch.manual_seed(seed), then draws in order. MT19937 seeded with the low 32 bits of the seed, as PyTorch does.
class TorchGenerator {
public:
    explicit TorchGenerator(std::uint64_t seed);

    // One 32-bit draw of MT19937.
    std::uint32_t draw32();
    // Two 32-bit draws, the first is the high half.
    std::uint64_t draw64();
    // torch.rand's float: low 24 bits of one draw / 2^24, in [0, 1).
    float uniform24();
    // Low 53 bits of draw64 / 2^53, in [0, 1).
    double uniform53();
    // Mean 0, variance 1: Box-Muller on two uniform53; the sine half is kept for the next call.
    double normal();
    // Throws away `count` draws of 64 bits.
    void skip64(std::uint64_t count);

private:
    std::mt19937 engine_;
    std::optional<double> cached_normal_;
};

// torch.rand: values in [0, 1), one draw an element, row-major.
void fill_rand(TorchGenerator& generator, std::span<float> values);

// Tensor.uniform_(low, high): u * (high - low) + low in float.
void fill_uniform(TorchGenerator& generator, std::span<float> values, float low, float high);

// torch.randn. 16 elements or more: float uniforms, turned into normals in blocks of 16; a remainder draws the last 16
// again. Fewer than 16: pairs of normals from uniform53. Both as PyTorch does, so the two regimes give different
// numbers.
void fill_randn(TorchGenerator& generator, std::span<float> values);

// How many numbers to draw now, about `wanted` of `num_left`, so that slices give what fill_randn gives at once: whole
// blocks of 16, and a remainder never alone.
std::size_t randn_slice(std::size_t wanted, std::size_t num_left);

// Which elements nn.Dropout(dropout) keeps: 1 where uniform53 < 1 - dropout. `skip` elements are drawn and thrown away
// first (the earlier sentences of a batch). PyTorch builds differ here between platforms.
void fill_keep_mask(TorchGenerator& generator, std::span<std::uint8_t> keep, double dropout, std::uint64_t skip);

}  // namespace attn
