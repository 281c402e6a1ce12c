// Each kernel of each instruction set against its plain twin, bit for bit, for every tail a SIMD loop can have; and the
// accuracy of exp.
#include "core/kernels/simd_kernels.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/failed_check.h"
#include "core/instruction_sets.h"
#include "core/problems.h"

namespace attn::test {
namespace {

std::vector<float> random_values(std::size_t count, std::uint64_t seed, float low = -2, float high = 2) {
    std::vector<float> values(count);
    TorchGenerator generator(seed);
    fill_uniform(generator, values, low, high);
    return values;
}

void require_same_bits(const std::vector<float>& fast, const std::vector<float>& plain) {
    REQUIRE(fast.size() == plain.size());
    for (std::size_t i = 0; i < fast.size(); ++i) {
        if (!same_bits(fast[i], plain[i])) FAIL("element " << i << " is " << fast[i] << ", plainly " << plain[i]);
    }
}

struct ProductSize {
    std::size_t rows, inner, columns;
};

// a . b with the set in use; the sums are cut after `cut` terms. b is (columns, inner) when transposed.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, const ProductSize& size,
                           bool is_transposed, std::size_t cut) {
    const simd::Kernels& kernels = simd::kernels();
    std::vector<float> panels(simd::panel_floats(size.inner, size.columns), -7.0f);
    is_transposed ? kernels.pack_transposed(b.data(), size.inner, size.inner, size.columns, panels.data())
                  : kernels.pack(b.data(), size.columns, size.inner, size.columns, panels.data());
    const std::size_t stride = simd::num_panels(size.columns) * kernels.panel_width;
    std::vector<float> padded(size.rows * stride, -1.0f);
    const auto multiply = [&](std::size_t first, std::size_t end, bool goes_on) {
        kernels.multiply(a.data() + first, size.inner, size.rows, panels.data() + first * kernels.panel_width,
                         kernels.panel_width * size.inner, end - first, size.columns, padded.data(), stride, goes_on);
    };
    multiply(0, cut, false);
    multiply(cut, size.inner, true);
    std::vector<float> out;
    for (std::size_t i = 0; i < size.rows; ++i) {
        const float* row = padded.data() + i * stride;
        out.insert(out.end(), row, row + size.columns);
    }
    return out;
}

// What the kernel of the set in use makes of a row.
template <class Kernel>
std::vector<float> applied(std::vector<float> row, const Kernel& kernel) {
    const std::size_t n = row.size();
    row.resize((n + 15) / 16 * 16, 5.0f);
    kernel(row.data(), n);
    row.resize(n);
    return row;
}

std::vector<float> softmax(const std::vector<float>& scores, float divisor) {
    return applied(scores,
                   [&](float* row, std::size_t n) { simd::kernels().softmax({row, 0, row, 0, n}, &n, 1, divisor); });
}

}  // namespace

TEST_CASE("products are those of the plain loops, bit for bit, wherever their sums are cut", "[simd][reference]") {
    // Every number of rows around the tiles of 4 and 8; 1 to 35 columns: a panel of 32 (AVX-512) and every tail; sums
    // longer than the stretch of 256 that is kept in the cache.
    const std::size_t rows = GENERATE(1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 15U);
    const std::size_t inner = GENERATE(1U, 2U, 7U, 64U, 700U);
    for (std::size_t columns = 1; columns <= 35; columns += inner > 64 ? 11 : 1) {
        CAPTURE(rows, inner, columns);
        const ProductSize size = {rows, inner, columns};
        const std::vector<float> a = random_values(rows * inner, columns);
        const std::vector<float> b = random_values(inner * columns, columns + 100);
        for (const bool is_transposed : {false, true}) {
            const std::vector<float> plain =
                with_set(simd::InstructionSet::plain, [&] { return product(a, b, size, is_transposed, inner); });
            for (const simd::InstructionSet set : simd::available()) {
                CAPTURE(std::string(simd::name_of(set)));
                require_same_bits(with_set(set, [&] { return product(a, b, size, is_transposed, inner); }), plain);
                require_same_bits(with_set(set, [&] { return product(a, b, size, is_transposed, inner / 3); }), plain);
            }
        }
    }
}

TEST_CASE("a product knows what it multiplies", "[simd]") {
    const std::vector<float> a = {1, 2, 3, 4, 5, 6};  // (2, 3)
    const std::vector<float> b = {1, 0, 2, 1, 0, 3};  // (3, 2), or (2, 3) when transposed
    for (const simd::InstructionSet set : simd::available()) {
        with_set(set, [&] {
            CHECK(product(a, b, {2, 3, 2}, false, 1) == std::vector<float>{5, 11, 14, 23});
            CHECK(product(a, b, {2, 3, 2}, true, 2) == std::vector<float>{7, 10, 16, 22});
            return 0;
        });
    }
}

TEST_CASE("rows of weights are the same bits in every instruction set", "[simd][reference]") {
    const float divisor = GENERATE(1.0f, 8.0f, 0x1p-148f, 2.6457513f);  // the reciprocal of the third is infinite
    for (std::size_t n = 1; n <= 70; ++n) {
        std::vector<float> scores = random_values(n, n, -9 * divisor, 9 * divisor);
        if (n % 3 == 0) scores[n / 2] = -std::numeric_limits<float>::infinity();
        const std::vector<float> plain =
            with_set(simd::InstructionSet::plain, [&] { return softmax(scores, divisor); });
        const auto rest = [&] {
            return applied(scores, [&](float* row, std::size_t count) {
                simd::kernels().divide(row, count, divisor);
                simd::kernels().divide_by_sum(row, count);
            });
        };
        const std::vector<float> plain_rest = with_set(simd::InstructionSet::plain, rest);
        for (const simd::InstructionSet set : simd::available()) {
            CAPTURE(divisor, n, std::string(simd::name_of(set)));
            require_same_bits(with_set(set, [&] { return softmax(scores, divisor); }), plain);
            require_same_bits(with_set(set, rest), plain_rest);
        }
    }
}

TEST_CASE("rows weighed together are those weighed alone, and right of them stands 0 or what stood there", "[simd]") {
    // 11 rows, of which 4 are taken together, as long as a causal mask leaves them or mixed, in places that end in
    // mid-vector; a row with a NaN is NaN as far as it goes and not further.
    constexpr std::size_t kRows = 11;
    const std::size_t longest = GENERATE(11U, 16U, 19U, 37U, 150U);
    const std::size_t room = longest + GENERATE(0U, 1U, 6U);
    const bool has_nan = GENERATE(false, true);
    const bool is_mixed = GENERATE(false, true);  // else each row is one longer than that before it
    const std::size_t stride = (longest + 15) / 16 * 16 + 3;
    const std::size_t weights_stride = room + 2;
    for (const simd::InstructionSet set : simd::available()) {
        CAPTURE(longest, room, has_nan, is_mixed, std::string(simd::name_of(set)));
        std::vector<float> scores = random_values(kRows * stride, 8);
        if (has_nan) scores[6 * stride] = std::numeric_limits<float>::quiet_NaN();
        std::vector<std::size_t> counts;
        for (std::size_t i = 0; i < kRows; ++i) {
            counts.push_back(is_mixed ? 1 + 31 * i % longest : longest - kRows + 1 + i);
        }
        std::vector<std::vector<float>> alone;
        for (std::size_t i = 0; i < kRows; ++i) {
            const float* row = scores.data() + i * stride;
            alone.push_back(with_set(set, [&] { return softmax({row, row + counts[i]}, 3); }));
        }
        std::vector<float> weights(kRows * weights_stride, 9.0f);
        with_set(set, [&] {
            simd::kernels().softmax({scores.data(), stride, weights.data(), weights_stride, room}, counts.data(), kRows,
                                    3);
            return 0;
        });
        for (std::size_t i = 0; i < kRows; ++i) {
            const float* row = weights.data() + i * weights_stride;
            require_same_bits({row, row + counts[i]}, alone[i]);
            for (std::size_t j = counts[i]; j < weights_stride; ++j) {
                CHECK((same_bits(row[j], 9.0f) || (j < room && same_bits(row[j], 0.0f))));
            }
        }
    }
}

TEST_CASE("scores of -inf at the end change nothing, and get exactly 0", "[simd][property]") {
    const std::vector<float> scores = random_values(37, 3);
    for (const simd::InstructionSet set : simd::available()) {
        const std::vector<float> alone = with_set(set, [&] { return softmax(scores, 3); });
        for (std::size_t more = 1; more < 40; ++more) {
            std::vector<float> longer = scores;
            longer.resize(scores.size() + more, -std::numeric_limits<float>::infinity());
            std::vector<float> weights = with_set(set, [&] { return softmax(longer, 3); });
            for (std::size_t j = scores.size(); j < longer.size(); ++j) REQUIRE(same_bits(weights[j], 0.0f));
            weights.resize(scores.size());
            require_same_bits(weights, alone);
        }
    }
}

TEST_CASE("rows of 2,048 weights sum to 1 within 1e-6, however equal they are", "[simd][property]") {
    // Numbers that are all alike round alike: added one after the other they would be off by 1e-5.
    for (const float score : {0.0f, -0.1f, -0.3f, -7.0f}) {
        std::vector<float> scores(2048, score);
        scores[0] = 0;
        for (const simd::InstructionSet set : simd::available()) {
            double sum = 0;
            for (const float weight : with_set(set, [&] { return softmax(scores, 1); }))
                sum += static_cast<double>(weight);
            CHECK(std::abs(sum - 1) <= 1e-6);  // one rounding of the sum and one of each quotient: 1.2e-7
        }
    }
}

TEST_CASE("a score that is no number makes its whole row none", "[simd]") {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const simd::InstructionSet set : simd::available()) {
        for (const float spoiler : {std::numeric_limits<float>::quiet_NaN(), infinity}) {
            for (const std::size_t place : {0U, 5U, 18U}) {
                std::vector<float> scores = random_values(19, 4);
                scores[place] = spoiler;
                for (const float weight : with_set(set, [&] { return softmax(scores, 2); })) CHECK(std::isnan(weight));
            }
        }
        const std::vector<float> none(5, -infinity);
        for (const float weight : with_set(set, [&] { return softmax(none, 2); })) CHECK(std::isnan(weight));
    }
}

TEST_CASE("exp is within 1.3 units in the last place", "[simd][property]") {
    // Every 997th float from 0 down to -87.3: a million of them. All of them were tried once: the worst was off
    // by 1.18.
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
    simd::kernels().exp_nonpositive(outputs.data(), outputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const double exact = std::exp(static_cast<double>(inputs[i]));
        const double unit = std::ldexp(1.0, std::ilogb(exact) - 23);
        worst = std::max(worst, std::abs(static_cast<double>(outputs[i]) - exact) / unit);
    }
    CHECK(worst <= 1.3);
}

TEST_CASE("exp is the same bits in a lane and alone", "[simd][reference]") {
    for (std::size_t count = 1; count <= 35; ++count) {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = -0.37f * static_cast<float>(i * count);
        const auto exp = [&] {
            return applied(values, [](float* row, std::size_t n) { simd::kernels().exp_nonpositive(row, n); });
        };
        const std::vector<float> plain = with_set(simd::InstructionSet::plain, exp);
        for (const simd::InstructionSet set : simd::available()) require_same_bits(with_set(set, exp), plain);
    }
}

TEST_CASE("exp at the ends of its range", "[simd]") {
    const float infinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const simd::InstructionSet set : simd::available()) {
        std::vector<float> values = {
            0.0f, -0.0f, -infinity, nan, -87.4f, -1e30f, -std::numeric_limits<float>::denorm_min(), -87.3f};
        with_set(set, [&] {
            simd::kernels().exp_nonpositive(values.data(), values.size());
            return 0;
        });
        CHECK(values[0] == 1.0f);
        CHECK(values[1] == 1.0f);
        CHECK(same_bits(values[2], 0.0f));
        CHECK(std::isnan(values[3]));
        CHECK(same_bits(values[4], 0.0f));
        CHECK(same_bits(values[5], 0.0f));
        CHECK(values[6] == 1.0f);
        CHECK(values[7] >= std::numeric_limits<float>::min());
    }
}

TEST_CASE("an instruction set that is not there is refused", "[simd][bad-input]") {
    CHECK(simd::in_use() == simd::available().back());
    CHECK_THAT(failed_check([] { simd::use(static_cast<simd::InstructionSet>(9)); }),
               Catch::Matchers::ContainsSubstring("instruction set 9"));
}

}  // namespace attn::test
