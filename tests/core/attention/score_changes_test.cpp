// Capped scores against what PyTorch prints for cap * torch.tanh(x / cap), and what the definition promises. ALiBi's
// slopes against those that the paper and its code print, and a printed example.
#include "core/attention/score_changes.h"

#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "core/fast/attend.h"
#include "core/operations/values.h"

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

struct Printed {
    float cap, score, capped;
};

// PyTorch 1.13.1, torch.float32.
constexpr Printed kPrinted[] = {
    {50, 0.001F, 0x1.0624dep-10F},
    {50, 1, 0x1.ffee88p-1F},
    {50, -10, -0x1.3bccf0p+3F},
    {50, 25, 0x1.71b198p+4F},
    {50, 49.5F, 0x1.2ef1e6p+5F},
    {50, 100, 0x1.819c6cp+5F},
    {50, -1000, -50},
    {30, 1, 0x1.ffcf7ap-1F},
    {30, -10, -0x1.34a6fap+3F},
    {30, 25, 0x1.477c54p+4F},
    {30, 49.5F, 0x1.bdda06p+4F},
    {30, 100, 0x1.dec7a4p+4F},
    {1.5F, 1, 0x1.bf93ccp-1F},
    {1.5F, -10, -0x1.7fffb0p+0F},
    {1.5F, 25, 1.5F},
};

}  // namespace

TEST_CASE("capped scores are PyTorch's, to the last bit but one", "[score_cap][golden]") {
    for (const Printed& printed : kPrinted) {
        CAPTURE(printed.cap, printed.score);
        const float ours = attn::capped(printed.score, printed.cap);
        // Its tanh in float may be off by one unit in the last place, and the product once more.
        CHECK(std::abs(ours - printed.capped) <= std::ldexp(std::abs(printed.capped), -22));
    }
}

TEST_CASE("a capped score stays within the cap, keeps its sign and its order", "[score_cap][property]") {
    for (const float cap : {0.5F, 3.0F, 50.0F}) {
        float before = -cap;
        for (float score = -6 * cap; score <= 6 * cap; score += cap / 64) {
            const float y = attn::capped(score, cap);
            CHECK(std::abs(y) <= cap);
            CHECK(std::abs(y) <= std::abs(score));
            CHECK(y * score >= 0);
            CHECK(y >= before);
            before = y;
        }
    }
    CHECK(attn::capped(0, 50) == 0);
    CHECK(attn::capped(-std::numeric_limits<float>::infinity(), 50) == -50);
    CHECK(std::isnan(attn::capped(std::numeric_limits<float>::quiet_NaN(), 50)));
}

TEST_CASE("the slope of a cap is that of a small step", "[score_cap][property]") {
    constexpr double kStep = 1e-4;
    for (double score = -4; score <= 4; score += 0.25) {
        const double slope = 2 * (std::tanh((score + kStep) / 2) - std::tanh((score - kStep) / 2)) / (2 * kStep);
        const auto y = attn::capped(static_cast<float>(score), 2);
        // The step's error is its square, 1e-8; y and its square are floats.
        CHECK(std::abs(static_cast<double>(attn::cap_slope(y, 2)) - slope) < 5e-7);
    }
    CHECK(attn::cap_slope(0, 2) == 1);
    CHECK(attn::cap_slope(2, 2) == 0);
}

TEST_CASE("slopes are the paper's, also for heads that are no power of two", "[alibi][golden]") {
    for (int h = 0; h < 8; ++h) CHECK(attn::alibi_slope(h, 8) == std::ldexp(1.0, -1 - h));
    for (int h = 0; h < 4; ++h) CHECK(attn::alibi_slope(h, 4) == std::ldexp(1.0, -2 - 2 * h));
    CHECK(attn::alibi_slope(0, 1) == 0x1p-8);
    CHECK_THAT(attn::alibi_slope(0, 16), WithinAbs(0.707107, 5e-7));
    // 12 heads: those of 8, then every other one of 16.
    for (int h = 0; h < 8; ++h) CHECK(attn::alibi_slope(h, 12) == attn::alibi_slope(h, 8));
    const std::array<double, 4> printed = {0.707107, 0.353553, 0.176777, 0.088388};
    for (int h = 0; h < 4; ++h)
        CHECK_THAT(attn::alibi_slope(8 + h, 12), WithinAbs(printed[static_cast<std::size_t>(h)], 5e-7));
}

TEST_CASE("slopes of a power of two are powers of the first one", "[alibi][property]") {
    for (const int n : {16, 64, 1024}) {
        const double first = std::exp2(-8.0 / n);
        for (int h = 0; h < n; ++h)  // portable exp: less than 1 ulp, pow about as much
            CHECK_THAT(attn::alibi_slope(h, n), WithinRel(std::pow(first, h + 1), 1e-12));
    }
}

// An exercise prints 3.05 4.05 6.05 7.05 for this row, which no weights give: the values rise by 1. Two queries, three
// keys, rows of the unit matrix, values 1 to 12, slope 1/2: that of the first of 8 heads.
TEST_CASE("a misprinted example comes out as it must", "[alibi][golden]") {
    const int num_heads = 8, head_dim = 4, T = 3;
    attn::AttentionProblem problem = {.embeddings = attn::zeros<attn::Matrix>(T, num_heads * head_dim),
                                      .projections = {},
                                      .hidden = attn::make_mask(attn::Mask::none, T),
                                      .settings = {.num_heads = num_heads, .alibi = {.is_on = true}}};
    for (int i = 0; i < T; ++i) {
        for (int c = 0; c < head_dim; ++c) {
            const float one = i == c ? 1.0F : 0.0F;
            problem.typed_roles.push_back({attn::TensorId::queries, i, c, one});
            problem.typed_roles.push_back({attn::TensorId::keys, i, c, one});
            problem.typed_roles.push_back({attn::TensorId::values, i, c, static_cast<float>(i * head_dim + c + 1)});
        }
    }
    const attn::AttentionTrace trace = attn::attend(problem);
    const attn::LayerValues reference = attn::layer_values(problem);
    for (int c = 0; c < head_dim; ++c) {
        CHECK_THAT(static_cast<double>(trace.context(0, 0, c)), WithinAbs(3.04685 + c, 5e-6));
        CHECK_THAT(reference.of(attn::TensorId::context)(0, 0, c), WithinAbs(3.04685 + c, 5e-6));
    }
}
