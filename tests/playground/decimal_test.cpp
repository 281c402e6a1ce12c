// Digits of doubles: literal cases, and those of the native library, which has them from elsewhere, for random numbers
// of every size.
#include "playground/decimal.h"

#include <bit>
#include <catch_amalgamated.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "playground/format.h"

using attn::exact_number;
using attn::fixed_text;
using attn::scientific;
using attn::shortest_digits;

namespace {

constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kLargest = std::numeric_limits<double>::max();

std::string written(double value, std::chars_format format, int decimals) {
    char buffer[1200];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format, decimals).ptr};
}

std::string own_scientific(double value, int decimals) {
    const auto [mantissa, exponent] = scientific(value, decimals);
    const std::string digits = std::to_string(std::abs(exponent));
    return mantissa + (exponent < 0 ? "e-" : "e+") + (digits.size() < 2 ? "0" : "") + digits;
}

// What exact_number says, as std::to_chars writes it.
std::string shortest_of_library(double value) {
    char buffer[400];
    std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
    if (const std::size_t plus = text.find("e+0"); plus != text.npos) text.erase(plus + 1, 2);
    if (const std::size_t plus = text.find("e+"); plus != text.npos) text.erase(plus + 1, 1);
    if (const std::size_t minus = text.find("e-0"); minus != text.npos) text.erase(minus + 2, 1);
    return text;
}

// Numbers at which something changes, and random ones: of every magnitude, near whole numbers, ties.
std::vector<double> many_numbers() {
    std::vector<double> numbers = {0,
                                   0.5,
                                   1.5,
                                   2.5,
                                   0.05,
                                   0.25,
                                   0.125,
                                   9.5,
                                   99.5,
                                   9.9999995,
                                   1e22,
                                   1e23,
                                   123456789012345680000.0,
                                   kSmallest,
                                   kLargest,
                                   std::numeric_limits<double>::min(),
                                   0x1p64,
                                   0x1p53 + 2,
                                   5e-324,
                                   1e-5};
    for (int power = -1074; power < 1024; ++power) numbers.push_back(std::ldexp(1.0, power));
    for (int power = -307; power < 308; ++power) numbers.push_back(std::pow(10.0, power));
    std::mt19937 generator(5);
    const auto below = [&](std::uint32_t end) { return static_cast<double>(generator() % end); };
    for (int round = 0; round < 20000; ++round) {
        const std::uint64_t high = generator() & 0x7FFFFFFF;
        const double any = std::bit_cast<double>(high << 32 | generator());
        if (std::isfinite(any)) numbers.push_back(any);
        numbers.push_back(below(4294967295U) / std::pow(10.0, below(14)));
        numbers.push_back(std::ldexp(below(1000), -static_cast<int>(below(12))));  // ties among them
        numbers.push_back(static_cast<double>(static_cast<float>(below(4294967295U) / 4294967296.0)));
    }
    return numbers;
}

}  // namespace

TEST_CASE("digits are rounded to the nearest, ties to the even one", "[decimal]") {
    CHECK(fixed_text(2.5, 0) == "2");
    CHECK(fixed_text(3.5, 0) == "4");
    CHECK(fixed_text(0.5, 0) == "0");
    CHECK(fixed_text(0.6, 0) == "1");
    CHECK(fixed_text(0.125, 2) == "0.12");
    CHECK(fixed_text(0.1, 20) == "0.10000000000000000555");
    CHECK(fixed_text(999.96, 1) == "1000.0");
    CHECK(fixed_text(0, 3) == "0.000");
    CHECK(fixed_text(0.00001, 2) == "0.00");
    CHECK(scientific(9.96, 1).mantissa == "1.0");
    CHECK(scientific(9.96, 1).exponent == 1);
    CHECK(scientific(0, 2).mantissa == "0.00");
    CHECK(scientific(0, 2).exponent == 0);
    CHECK(shortest_digits(kSmallest).digits == "5");
    CHECK(shortest_digits(kSmallest).point == -323);
    CHECK(shortest_digits(1200).digits == "12");
    CHECK(shortest_digits(1200).point == 4);
    // Below a power of two: the nearest number of 16 digits, ...801e-14, is read as another one.
    CHECK(exact_number(0x1p-44) == "5.684341886080802e-14");
}

TEST_CASE("the library writes the same digits", "[decimal][reference]") {
    for (const double value : many_numbers()) {
        for (const int decimals : {0, 1, 4, 17}) {
            if (fixed_text(value, decimals) == written(value, std::chars_format::fixed, decimals) &&
                own_scientific(value, decimals) == written(value, std::chars_format::scientific, decimals))
                continue;
            CAPTURE(value, decimals, fixed_text(value, decimals), own_scientific(value, decimals));
            FAIL("other digits");
        }
        if (exact_number(value) == shortest_of_library(value)) continue;
        CAPTURE(exact_number(value), shortest_of_library(value));
        FAIL("another shortest text");
    }
    SUCCEED();
}
