// Capped scores against what PyTorch prints for cap * torch.tanh(x / cap), and what the definition promises.
#include "core/attention/score_cap.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

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
