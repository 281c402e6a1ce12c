// AdamW beside the core's optimizer, and what it does not have: a rate that changes, a cut, a pause.
#include "model/learn/adamw.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "core/ground/random.h"
#include "core/learn/optimizer.h"

namespace {

std::vector<float> drawn_numbers(std::uint64_t seed, std::size_t count, float bound = 1) {
    std::vector<float> numbers(count);
    attn::TorchGenerator generator(seed);
    attn::fill_uniform(generator, numbers, -bound, bound);
    return numbers;
}

}  // namespace

TEST_CASE("with PyTorch's settings AdamW gives the bits of the core's optimizer", "[learn][reference]") {
    constexpr std::size_t kCount = 37;
    std::vector<float> numbers = drawn_numbers(1, kCount), same = numbers;
    attn::AdamW adamw(attn::AdamWSettings(), kCount);
    attn::Optimizer optimizer({.kind = attn::OptimizerKind::adamw, .rate = 0.02});
    const std::vector<attn::NumberRange> all = {{.begin = 0, .end = kCount}};
    for (std::uint64_t step = 0; step < 20; ++step) {
        const std::vector<float> gradients = drawn_numbers(2 + step, kCount, 0.1F);
        adamw.step(0.02, gradients, numbers, all);
        optimizer.begin_step();
        optimizer.step(0, gradients, same);
        REQUIRE(numbers == same);
    }
}

TEST_CASE("numbers outside the shrinking ranges do not decay", "[learn]") {
    std::vector<float> numbers(4, 1.0F);
    attn::AdamW adamw({.decay = 0.5}, 4);
    const std::vector<attn::NumberRange> one = {{.begin = 1, .end = 3}};
    adamw.step(0.1, std::vector<float>(4, 0.0F), numbers, one);
    CHECK(numbers == std::vector<float>{1, 0.95F, 0.95F, 1});
}

TEST_CASE("the rate rises in a line and falls as a half cosine", "[learn]") {
    const attn::RateCurve curve = {.highest = 2, .least = 0.5, .warm_up = 10, .num_steps = 1000};
    CHECK(std::abs(curve.rate(0) - (2 * 0.1 + 0.5)) < 1e-5);  // the cosine is 1 - 5e-6 there at most
    CHECK(std::abs(curve.rate(500) - 1.5) < 1e-12);
    CHECK(std::abs(curve.rate(1000) - 0.5) < 1e-12);
    CHECK(curve.rate(9) > curve.rate(8));
    CHECK(curve.rate(11) < curve.rate(10));
}

TEST_CASE("gradients that are too long are cut to the length, others stay", "[learn]") {
    std::vector<float> gradients = {3, -4};
    CHECK(attn::cut_gradients(gradients, 6) == 5);
    CHECK(gradients == std::vector<float>{3, -4});
    CHECK(attn::cut_gradients(gradients, 1) == 5);
    CHECK(std::abs(attn::gradient_length(gradients) - 1) < 1e-6);  // 1 / (5 + 1e-6) of it
    std::vector<float> none = {0, 0};
    CHECK(attn::cut_gradients(none, 1) == 0);
    CHECK(none == std::vector<float>{0, 0});
}

TEST_CASE("AdamW goes on after a pause with the same bits", "[learn]") {
    constexpr std::size_t kSize = 9;
    std::vector<float> numbers = drawn_numbers(3, kSize);
    attn::AdamW adamw(attn::AdamWSettings(), kSize);
    for (std::uint64_t step = 0; step < 7; ++step) adamw.step(0.01, drawn_numbers(4 + step, kSize), numbers, {});
    std::vector<float> others = numbers;
    attn::AdamW later(attn::AdamWSettings(), kSize);
    later.go_to(adamw.num_steps(), adamw.mean(), adamw.mean_square());
    for (std::uint64_t step = 0; step < 5; ++step) {
        adamw.step(0.01, drawn_numbers(20 + step, kSize), numbers, {});
        later.step(0.01, drawn_numbers(20 + step, kSize), others, {});
    }
    CHECK(numbers == others);
}
