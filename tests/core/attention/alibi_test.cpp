// ALiBi's slopes against those that the paper and its code print, and a printed example.
#include "core/attention/alibi.h"

#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "core/fast/attend.h"
#include "core/operations/values.h"

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

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
