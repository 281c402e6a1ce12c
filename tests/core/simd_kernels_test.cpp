// Each kernel against its plain twin, bit for bit, for every tail a SIMD loop can have; and the accuracy of exp.
#include "core/simd_kernels.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "core/failed_check.h"
#include "core/problems.h"

namespace attn::test {
namespace {

std::vector<float> random_values(std::size_t count, std::uint64_t seed) {
    std::vector<float> values(count);
    TorchGenerator generator(seed);
    fill_uniform(generator, values, -2, 2);
    return values;
}

void require_same_bits(const std::vector<float>& fast, const std::vector<float>& plain) {
    for (std::size_t i = 0; i < fast.size(); ++i) {
        if (!same_bits(fast[i], plain[i])) FAIL("element " << i << " is " << fast[i] << ", plainly " << plain[i]);
    }
}

}  // namespace

TEST_CASE("both products are those of the plain loops, bit for bit", "[simd][reference]") {
    // 1 to 5 rows: the tile of 4 and its rest. 1 to 35 columns: two panels of 16 (AVX) and every tail.
    const std::size_t rows = GENERATE(1U, 2U, 4U, 5U, 9U);
    const std::size_t inner = GENERATE(1U, 2U, 7U, 64U);
    for (std::size_t columns = 1; columns <= 35; ++columns) {
        CAPTURE(rows, inner, columns);
        const std::vector<float> a = random_values(rows * inner, columns);
        const std::vector<float> b = random_values(inner * columns, columns + 100);
        std::vector<float> fast(rows * columns, -1.0f);
        std::vector<float> plain(rows * columns, -2.0f);
        simd::multiply(a, b, fast, {rows, inner, columns});
        scalar::multiply(a, b, plain, {rows, inner, columns});
        require_same_bits(fast, plain);
        simd::multiply_by_transposed(a, b, fast, {rows, inner, columns});
        scalar::multiply_by_transposed(a, b, plain, {rows, inner, columns});
        require_same_bits(fast, plain);
    }
}

TEST_CASE("a weighted sum of rows is that of the plain loop, bit for bit", "[simd][reference]") {
    const std::vector<int> rows =
        GENERATE(std::vector<int>{}, std::vector<int>{3}, std::vector<int>{0, 1, 2, 3, 4}, std::vector<int>{4, 0, 4});
    const std::vector<float> factors = random_values(rows.size(), 1);
    for (std::size_t width = 1; width <= 70; ++width) {
        CAPTURE(rows.size(), width);
        const std::vector<float> table = random_values(5 * width, width);
        std::vector<float> fast(width, -1.0f);
        std::vector<float> plain(width, -2.0f);
        simd::weighted_sum_of_rows(factors, rows, table, fast);
        scalar::weighted_sum_of_rows(factors, rows, table, plain);
        require_same_bits(fast, plain);
    }
}

TEST_CASE("a product knows what it multiplies", "[simd]") {
    const std::vector<float> a = {1, 2, 3, 4, 5, 6};  // (2, 3)
    const std::vector<float> b = {1, 0, 2, 1, 0, 3};  // (3, 2), or (2, 3) when transposed
    std::vector<float> out(4);
    simd::multiply(a, b, out, {2, 3, 2});
    CHECK(out == std::vector<float>{5, 11, 14, 23});
    simd::multiply_by_transposed(a, b, out, {2, 3, 2});
    CHECK(out == std::vector<float>{7, 10, 16, 22});
}

TEST_CASE("exp is within 1.3 units in the last place", "[simd][property]") {
    // Every 997th float from 0 down to -87.3: a million of them. All of them were tried once: the worst was off
    // by 1.22.
    const float limit = -87.3f;
    double worst = 0;
    std::vector<float> inputs;
    for (float x = -0.0f; x >= limit;) {
        inputs.push_back(x);
        std::uint32_t bits = 0;
        std::memcpy(&bits, &x, sizeof bits);
        bits += 997;
        std::memcpy(&x, &bits, sizeof x);
    }
    REQUIRE(inputs.size() > 1000000);
    std::vector<float> outputs = inputs;
    simd::exp_nonpositive(outputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const double exact = std::exp(static_cast<double>(inputs[i]));
        const double unit = std::ldexp(1.0, std::ilogb(exact) - 23);
        worst = std::max(worst, std::abs(static_cast<double>(outputs[i]) - exact) / unit);
    }
    CHECK(worst <= 1.3);
}

TEST_CASE("exp is the same bits in a lane and alone", "[simd][reference]") {
    for (std::size_t count = 1; count <= 19; ++count) {
        std::vector<float> fast(count);
        for (std::size_t i = 0; i < count; ++i) fast[i] = -0.37f * static_cast<float>(i * count);
        std::vector<float> plain = fast;
        simd::exp_nonpositive(fast);
        scalar::exp_nonpositive(plain);
        require_same_bits(fast, plain);
    }
}

TEST_CASE("exp at the ends of its range", "[simd]") {
    const float infinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> values = {
        0.0f, -0.0f, -infinity, nan, -87.4f, -1e30f, -std::numeric_limits<float>::denorm_min(), -87.3f};
    simd::exp_nonpositive(values);
    CHECK(values[0] == 1.0f);
    CHECK(values[1] == 1.0f);
    CHECK(same_bits(values[2], 0.0f));
    CHECK(std::isnan(values[3]));
    CHECK(same_bits(values[4], 0.0f));
    CHECK(same_bits(values[5], 0.0f));
    CHECK(values[6] == 1.0f);
    CHECK(values[7] >= std::numeric_limits<float>::min());
}

TEST_CASE("arrays that do not fit the sizes are refused", "[simd][bad-input]") {
    std::vector<float> a(6);
    std::vector<float> b(6);
    std::vector<float> out(4);
    CHECK_THAT(failed_check([&] { simd::multiply(a, b, out, {2, 3, 3}); }),
               Catch::Matchers::ContainsSubstring("want 2 x 3"));
    CHECK_THAT(failed_check([&] { simd::weighted_sum_of_rows(a, std::vector<int>{1}, b, out); }),
               Catch::Matchers::ContainsSubstring("6 factors for 1 rows"));
}

}  // namespace attn::test
