// Products of packed rows: the bits of the plain loops, however many rows and wherever one begins.
#include "core/kernels/packed_rows.h"

#include <catch_amalgamated.hpp>
#include <string>
#include <vector>

#include "core/instruction_sets.h"
#include "core/kernels/simd_kernels.h"
#include "core/problems.h"

namespace attn::test {
namespace {

struct Product {
    std::size_t rows, inner, columns;
};

// Rows first to first + count of a . b with the set in use.
std::vector<float> rows_of_product(const Product& size, std::size_t first, std::size_t count) {
    const std::vector<float> a = drawn_numbers(size.rows * size.inner, 1);
    const std::vector<float> b = drawn_numbers(size.inner * size.columns, 2);
    std::vector<float> panels(simd::panel_floats(size.inner, size.columns));
    simd::kernels().pack(b.data(), size.columns, size.inner, size.columns, panels.data());
    PackedRows rows;
    REQUIRE(rows.reserve(size.rows, size.inner));
    rows.pack(a.data(), size.rows, size.inner);
    const std::size_t stride = simd::num_panels(size.columns) * simd::kernels().panel_width;
    std::vector<float> out(count * stride + 1, -7.0f);
    rows.multiply(first, count, panels.data(), size.columns, out.data(), stride);
    CHECK(out.back() == -7);  // nothing behind the last row
    std::vector<float> result;
    for (std::size_t i = 0; i < count; ++i) {
        const float* row = out.data() + i * stride;
        result.insert(result.end(), row, row + size.columns);
    }
    return result;
}

}  // namespace

TEST_CASE("packed rows make the bits of the plain loops in every instruction set", "[simd][reference]") {
    // Rows on both sides of the 16 up to which none are packed, and around tiles of 4 and 8; sums in one stretch and in
    // several.
    const std::size_t rows = GENERATE(1U, 15U, 16U, 17U, 20U, 23U, 24U, 64U, 67U);
    const std::size_t inner = GENERATE(1U, 7U, 64U, 900U);
    const std::size_t columns = GENERATE(1U, 4U, 8U, 35U);
    const Product size = {rows, inner, columns};
    for (const std::size_t first : {std::size_t{0}, std::size_t{8}, std::size_t{16}, std::size_t{64}}) {
        if (first >= rows) continue;
        for (const std::size_t count : {std::size_t{1}, (rows - first + 1) / 2, rows - first}) {
            const std::vector<float> plain =
                with_set(simd::InstructionSet::plain, [&] { return rows_of_product(size, first, count); });
            for (const simd::InstructionSet set : simd::available()) {
                CAPTURE(rows, inner, columns, first, count, std::string(simd::name_of(set)));
                const std::vector<float> fast = with_set(set, [&] { return rows_of_product(size, first, count); });
                REQUIRE(fast.size() == plain.size());
                std::size_t num_wrong = 0;
                for (std::size_t k = 0; k < fast.size(); ++k) num_wrong += same_bits(fast[k], plain[k]) ? 0 : 1;
                REQUIRE(num_wrong == 0);
            }
        }
    }
}

TEST_CASE("packed rows know what they multiply", "[simd]") {
    // Row i is i + 1 everywhere; a column of ones sums it up.
    constexpr std::size_t kRows = 21;
    constexpr std::size_t kInner = 3;
    std::vector<float> a;
    for (std::size_t i = 0; i < kRows; ++i) a.insert(a.end(), kInner, static_cast<float>(i + 1));
    const std::vector<float> ones(kInner, 1);
    for (const simd::InstructionSet set : simd::available()) {
        CAPTURE(std::string(simd::name_of(set)));
        with_set(set, [&] {
            std::vector<float> panels(simd::panel_floats(kInner, 1));
            simd::kernels().pack(ones.data(), 1, kInner, 1, panels.data());
            PackedRows rows;
            REQUIRE(rows.reserve(kRows, kInner));
            rows.pack(a.data(), kRows, kInner);
            const std::size_t stride = simd::kernels().panel_width;
            std::vector<float> out(kRows * stride);
            rows.multiply(0, kRows, panels.data(), 1, out.data(), stride);
            for (std::size_t i = 0; i < kRows; ++i) CHECK(out[i * stride] == 3 * static_cast<float>(i + 1));
            return 0;
        });
    }
}

}  // namespace attn::test
