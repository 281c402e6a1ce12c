// portable::exp of several numbers side by side, for loops over many: the same bits, without branches, so that the
// compiler computes some at once. portable_math.h says what holds for it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace attn::portable {

constexpr double kLn2High = 0x1.62e42feep-1;  // 32 bits: exact times any exponent of a double
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kOneOverLn2 = 0x1.71547652b82fep+0;

// e^r = 1 + r + r^2 (1/2! + r/3! + r^2/4! + ...), up to r^14/14!
constexpr std::array kExp = [] {
    std::array<double, 13> coefficients = {};
    double factorial = 1;  // exact up to 22!
    for (std::size_t n = 0; n < coefficients.size(); ++n) {
        factorial *= static_cast<double>(n + 2);
        coefficients[n] = 1 / factorial;
    }
    return coefficients;
}();

// Each number becomes e^number; those beyond -750 and 709 count as these: next to 0, and no infinity.
template <std::size_t kCount>
void exp_of_each(std::array<double, kCount>& numbers) {
    constexpr double kWhole = 0x1.8p52;  // added to it, a number is rounded to a whole one, in its last bits
    std::array<double, kCount> r, tail, sum, first, second;
    for (std::size_t k = 0; k < kCount; ++k) {
        const double x = std::min(std::max(numbers[k], -750.0), 709.0);
        const double shifted = x * kOneOverLn2 + kWhole;
        const double n = shifted - kWhole;
        const std::int64_t whole = std::bit_cast<std::int64_t>(shifted) - std::bit_cast<std::int64_t>(kWhole);
        const double rest = x - n * kLn2High;
        const double less = n * kLn2Low;
        r[k] = rest - less;
        tail[k] = (rest - r[k]) - less;
        const std::int64_t half = whole >> 1;  // the products with both powers round once at most
        first[k] = std::bit_cast<double>(static_cast<std::uint64_t>(half + 1023) << 52);
        second[k] = std::bit_cast<double>(static_cast<std::uint64_t>(whole - half + 1023) << 52);
        sum[k] = kExp.back();
    }
    for (std::size_t n = kExp.size() - 1; n-- > 0;) {
        for (std::size_t k = 0; k < kCount; ++k) sum[k] = sum[k] * r[k] + kExp[n];
    }
    for (std::size_t k = 0; k < kCount; ++k)
        numbers[k] = (1 + (r[k] + (r[k] * r[k] * sum[k] + tail[k]))) * first[k] * second[k];
}

}  // namespace attn::portable
