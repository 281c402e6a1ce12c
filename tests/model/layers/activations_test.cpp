// Activations against the C library's double functions.
#include "model/layers/activations.h"

#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <vector>

using Catch::Matchers::WithinAbs;

TEST_CASE("activations are those of the C library's functions", "[model][reference]") {
    double worst_share = 0, worst_tanh = 0, worst_silu = 0;
    for (int i = -200000; i <= 200000; ++i) {
        const double x = i * 5.3e-5;  // to 10.6 either way
        worst_share = std::max(worst_share, std::abs(attn::normal_share(x) - std::erfc(-x / std::sqrt(2.0)) / 2));
        const double u = std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
        worst_tanh = std::max(worst_tanh, std::abs(attn::gelu_tanh(x) - x / 2 * (1 + std::tanh(u))));
        worst_silu = std::max(worst_silu, std::abs(attn::silu(x) - x / (1 + std::exp(-x))));
    }
    CHECK(worst_share < 6e-16);  // a few roundings near 1
    CHECK(worst_tanh < 4e-15);   // x up to 10
    CHECK(worst_silu < 4e-15);
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(attn::gelu_tanh(-1e3) == 0);
    CHECK(attn::gelu_tanh(1e3) == 1e3);
    CHECK(attn::silu(-1e5) == 0);
    CHECK(attn::normal_share(infinity) == 1);
    CHECK(attn::normal_share(-infinity) == 0);
    CHECK(std::isnan(attn::normal_share(NAN)));
    CHECK(std::isnan(attn::gelu_tanh(NAN)));
    CHECK(std::isnan(attn::silu(NAN)));
}

TEST_CASE("many numbers at once have the bits of one", "[model][property]") {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<float> numbers;
    for (int i = -3000; i <= 3000; ++i) numbers.push_back(static_cast<float>(i) * 0.00371F);
    for (const float odd : {0.0F, -0.0F, 1e4F, -1e4F, 3e38F, -3e38F, kInfinity, -kInfinity, NAN, 1e-40F, 7.0F})
        numbers.push_back(odd);
    for (const std::size_t count : {numbers.size(), numbers.size() - 3, std::size_t{5}, std::size_t{0}}) {
        std::vector<float> many(numbers.end() - static_cast<std::ptrdiff_t>(count), numbers.end());
        const std::vector<float> before = many;
        attn::activate(attn::Activation::gelu_tanh, many, {});
        for (std::size_t i = 0; i < count; ++i) {
            const auto alone = static_cast<float>(attn::gelu_tanh(static_cast<double>(before[i])));
            INFO(before[i]);
            CHECK((many[i] == alone || (std::isnan(many[i]) && std::isnan(alone))));
        }
    }
}

// Printed to four decimals in a notebook of "Build a Large Language Model (From Scratch)", chapter 4, section 4.2.
TEST_CASE("a layer norm gives a notebook's numbers", "[model][golden]") {
    const std::array<float, 6> row = {0.2260F, 0.3470F, 0, 0.2216F, 0, 0};
    std::array<float, 6> out = {};
    attn::normalize(attn::NormKind::layer, 0, row, {}, {}, out);
    // The notebook divides by n - 1; here it is n, so its numbers are larger by sqrt(6 / 5).
    const std::array<double, 6> printed = {0.6159, 1.4126, -0.8719, 0.5872, -0.8719, -0.8719};
    for (std::size_t i = 0; i < 6; ++i)
        CHECK_THAT(static_cast<double>(out[i]), WithinAbs(printed[i] * std::sqrt(1.2), 1e-3));
    attn::normalize(attn::NormKind::layer, 1e-5, row, {}, {}, out);
    CHECK_THAT(static_cast<double>(out[0]), WithinAbs(0.6745, 1e-3));  // of inputs rounded to four decimals
    CHECK_THAT(static_cast<double>(out[1]), WithinAbs(1.5470, 1e-3));
}
