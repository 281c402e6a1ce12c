// PyTorch's CPU generator. Sources: ATen/core/DistributionsHelper.h, ATen/core/TransformationHelper.h and
// ATen/native/cpu/DistributionTemplates.h of PyTorch, read to learn what they compute; Box and Muller 1958 for the
// normals. Logarithm, sine and cosine are our own in double, then rounded to float: the same bits everywhere, and
// PyTorch's but once in some hundred million values.
#include "core/ground/random.h"

#include <cmath>
#include <numbers>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"

namespace attn {
namespace {

constexpr std::size_t kBlock = 16;  // PyTorch's normals are made 16 at a time

// Turns 16 uniforms in [0, 1) into 16 normals: element j of the first half gives the radius, element j of the second
// half the angle. Rounded to float where PyTorch's vectorised kernel rounds.
void normal_block(std::span<float, kBlock> values) {
    constexpr std::size_t kHalf = kBlock / 2;
    constexpr float kTwoPi = static_cast<float>(2 * std::numbers::pi);
    for (std::size_t j = 0; j < kHalf; ++j) {
        const float u1 = 1.0f - values[j];  // in (0, 1], so that the logarithm is finite
        const float u2 = values[j + kHalf];
        const float log_u1 = static_cast<float>(portable::log(static_cast<double>(u1)));
        const float radius = std::sqrt(-2.0f * log_u1);
        const double angle = kTwoPi * u2;
        values[j] = radius * static_cast<float>(portable::cos(angle));
        values[j + kHalf] = radius * static_cast<float>(portable::sin(angle));
    }
}

}  // namespace

TorchGenerator::TorchGenerator(std::uint64_t seed) : engine_(static_cast<std::uint32_t>(seed & 0xffffffffU)) {}

std::uint32_t TorchGenerator::draw32() {
    return static_cast<std::uint32_t>(engine_());
}

std::uint64_t TorchGenerator::draw64() {
    const std::uint64_t high = draw32();
    const std::uint64_t low = draw32();
    return high << 32 | low;
}

float TorchGenerator::uniform24() {
    return static_cast<float>(draw32() & 0xffffffU) * 0x1p-24f;
}

double TorchGenerator::uniform53() {
    return static_cast<double>(draw64() & 0x1fffffffffffffU) * 0x1p-53;
}

double TorchGenerator::normal() {
    if (cached_normal_) {
        const double value = *cached_normal_;
        cached_normal_.reset();
        return value;
    }
    const double u1 = uniform53();
    const double u2 = uniform53();
    const double radius = std::sqrt(-2.0 * portable::log(1.0 - u2));  // exact: u2 is a multiple of 2^-53
    const double angle = 2.0 * std::numbers::pi * u1;
    cached_normal_ = radius * portable::sin(angle);
    return radius * portable::cos(angle);
}

void TorchGenerator::skip64(std::uint64_t count) {
    engine_.discard(2 * count);
}

void fill_rand(TorchGenerator& generator, std::span<float> values) {
    for (float& value : values) value = generator.uniform24();
}

void fill_uniform(TorchGenerator& generator, std::span<float> values, float low, float high) {
    for (float& value : values) value = generator.uniform24() * (high - low) + low;
}

void fill_randn(TorchGenerator& generator, std::span<float> values) {
    if (values.size() < kBlock) {
        for (float& value : values) value = static_cast<float>(generator.normal());
        return;
    }
    fill_rand(generator, values);
    for (std::size_t begin = 0; begin + kBlock <= values.size(); begin += kBlock) {
        normal_block(values.subspan(begin).first<kBlock>());
    }
    if (values.size() % kBlock != 0) {  // the last 16 are drawn again, whole
        const std::span<float, kBlock> tail = values.last<kBlock>();
        fill_rand(generator, tail);
        normal_block(tail);
    }
}

std::size_t randn_slice(std::size_t wanted, std::size_t num_left) {
    const std::size_t count = (wanted / kBlock + 1) * kBlock;
    return num_left < count + kBlock ? num_left : count;
}

void fill_keep_mask(TorchGenerator& generator, std::span<std::uint8_t> keep, double dropout, std::uint64_t skip) {
    ATTN_CHECK(dropout >= 0 && dropout < 1, "dropout is ", dropout, ", want 0 <= dropout < 1");
    generator.skip64(skip);
    for (std::uint8_t& flag : keep) flag = generator.uniform53() < 1 - dropout ? 1 : 0;
}

}  // namespace attn
