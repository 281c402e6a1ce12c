// Rotary positions of one row, against printed numbers and against what a rotation is.
#include "core/attention/rotary.h"

#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

using Catch::Matchers::WithinAbs;

namespace {

std::vector<float> turned(std::vector<float> row, attn::RotaryPairs pairs, int position, double base) {
    attn::rotate(pairs, attn::rotation_at(position, static_cast<int>(row.size()), base), row);
    return row;
}

void check_rows(const std::vector<float>& row, const std::vector<double>& printed) {
    REQUIRE(row.size() == printed.size());
    for (std::size_t c = 0; c < row.size(); ++c)  // printed to four decimals
        CHECK_THAT(static_cast<double>(row[c]), WithinAbs(printed[c], 5e-5));
}

}  // namespace

TEST_CASE("a row of four is turned as printed, by halves and by neighbours", "[rotary][golden]") {
    // Position 1, base 10000: angles 1 and 0.01.
    check_rows(turned({1, 2, 3, 4}, attn::RotaryPairs::halves, 1, 10000), {-1.9841, 1.9599, 2.4624, 4.0198});
    check_rows(turned({1, 2, 3, 4}, attn::RotaryPairs::neighbours, 1, 10000), {-1.1426, 1.9221, 2.9599, 4.0298});
    const attn::Rotation second = attn::rotation_at(2, 4, 10000);
    CHECK_THAT(second.cosines[0], WithinAbs(-0.4161, 5e-5));
    CHECK_THAT(second.sines[0], WithinAbs(0.9093, 5e-5));
    CHECK_THAT(second.cosines[1], WithinAbs(0.9998, 5e-5));
    CHECK_THAT(second.sines[1], WithinAbs(0.0200, 5e-5));
    CHECK_THAT(attn::rotary_angle(1, 63, 128, 500000), WithinAbs(2.455e-6, 5e-10));
    std::vector<float> ones = {1, 1, 1, 1};  // a quarter of a turn
    attn::rotate(attn::RotaryPairs::halves, {.cosines = {0, 0}, .sines = {1, 1}}, ones);
    CHECK(ones == std::vector<float>{-1, -1, 1, 1});
}

TEST_CASE("each number has one partner, and it is that partner's", "[rotary][property]") {
    const attn::RotaryPairs pairs = GENERATE(attn::RotaryPairs::halves, attn::RotaryPairs::neighbours);
    for (int c = 0; c < 10; ++c) {
        const int partner = attn::partner_of(pairs, 10, c);
        CHECK(partner != c);
        CHECK(attn::partner_of(pairs, 10, partner) == c);
        CHECK(attn::pair_of(pairs, 10, partner) == attn::pair_of(pairs, 10, c));
    }
    CHECK(attn::partner_of(attn::RotaryPairs::halves, 10, 1) == 6);
    CHECK(attn::partner_of(attn::RotaryPairs::neighbours, 10, 1) == 0);
}

TEST_CASE("turning back undoes a rotation, and position 0 changes nothing", "[rotary][property]") {
    const attn::RotaryPairs pairs = GENERATE(attn::RotaryPairs::halves, attn::RotaryPairs::neighbours);
    const int position = GENERATE(0, 1, -7, 2047, 100000);
    const std::array<double, 6> before = {0.5, -1.25, 3, -0.125, 2, 7};
    std::array<double, 6> row = before;
    const attn::Rotation rotation = attn::rotation_at(position, 6, 10000);
    attn::rotate(pairs, rotation, std::span<double>(row));
    if (position == 0) CHECK(row == before);
    double square = 0;
    for (const double x : row) square += x * x;
    CHECK_THAT(square, WithinAbs(0.25 + 1.5625 + 9 + 0.015625 + 4 + 49, 1e-13));  // lengths stay
    attn::rotate_back(pairs, rotation, std::span<double>(row));
    for (std::size_t c = 0; c < row.size(); ++c) CHECK_THAT(row[c], WithinAbs(before[c], 1e-14));
}
