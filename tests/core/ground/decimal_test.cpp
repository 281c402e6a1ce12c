// Digits of doubles and back: literal cases, and the native library, which has them from elsewhere, for random numbers
// of every size.
#include "core/ground/decimal.h"
#include "samples.h"

#include <bit>
#include <catch_amalgamated.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

using attn::Digits;
using attn::fixed_text;
using attn::general_text;
using attn::kDecidingDigits;
using attn::nearest_double;
using attn::scientific;
using attn::shortest_digits;

namespace {

constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kLargest = std::numeric_limits<double>::max();

std::string written(double value, std::chars_format format, int decimals) {
    char buffer[1200];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format, decimals).ptr};
}

std::string with_exponent(const std::string& digits, int exponent) {
    const std::string size = std::to_string(std::abs(exponent));
    return digits + (exponent < 0 ? "e-" : "e+") + (size.size() < 2 ? "0" : "") + size;
}

std::string own_scientific(double value, int decimals) {
    const auto [mantissa, exponent] = scientific(value, decimals);
    return with_exponent(mantissa, exponent);
}

// shortest_digits, as std::to_chars writes them.
std::string own_shortest(double value) {
    Digits number = shortest_digits(value);
    if (number.digits.size() > 1) number.digits.insert(1, ".");
    return with_exponent(number.digits, number.point - 1);
}

std::string shortest_of_library(double value) {
    char buffer[400];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr};
}

std::string general_of_library(double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%g", value);
    return buffer;
}

double read_by_library(const Digits& number) {
    return std::strtod(("0." + number.digits + "e" + std::to_string(number.point)).c_str(), nullptr);
}

std::string random_digits(std::mt19937& generator, std::size_t length) {
    std::string digits;
    while (digits.size() < length) digits += static_cast<char>('0' + generator() % 10);
    return digits;
}

// All digits of the number in the middle between `value` and the next double, which has one bit more.
Digits middle_above(double value) {
    char buffer[1200];
    const long double next = std::nextafter(value, std::numeric_limits<double>::infinity());
    std::snprintf(buffer, sizeof buffer, "%.1100Le", (static_cast<long double>(value) + next) / 2);
    const std::string text = buffer;
    const std::size_t e = text.find('e');
    return {text.substr(0, 1) + text.substr(2, e - 2), std::stoi(text.substr(e + 1)) + 1};
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
    for (int round = 0; round < attn::test::samples(20000); ++round) {
        const std::uint64_t high = generator() & 0x7FFFFFFF;
        const double any = std::bit_cast<double>(high << 32 | generator());
        if (std::isfinite(any)) numbers.push_back(any);
        numbers.push_back(below(4294967295U) / std::pow(10.0, below(14)));
        numbers.push_back(std::ldexp(below(1000), -static_cast<int>(below(12))));  // ties among them
        numbers.push_back(static_cast<double>(static_cast<float>(below(4294967295U) / 4294967296.0)));
        numbers.push_back(static_cast<double>(static_cast<float>(below(4294967295U) / std::pow(10.0, below(20)))));
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
    CHECK(shortest_digits(0x1p-44).digits == "5684341886080802");
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
        if (general_text(-value) != general_of_library(-value)) {
            CAPTURE(general_text(-value), general_of_library(-value));
            FAIL("another text of six digits");
        }
        if (value == 0 || own_shortest(value) == shortest_of_library(value)) continue;
        CAPTURE(own_shortest(value), shortest_of_library(value));
        FAIL("another shortest text");
    }
    SUCCEED();
}

TEST_CASE("six digits are as printf writes them, infinities too", "[decimal]") {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double value : {0.0, -0.0, 999999.4, 999999.5, 0.0001, 0.00009999995, 100000.0, 1e6, kInfinity,
                               -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
        CAPTURE(value);
        CHECK(general_text(value) == general_of_library(value));
    }
}

TEST_CASE("digits are read as the nearest double, ties to the even one", "[decimal]") {
    CHECK(nearest_double({"15", 1}) == 1.5);
    CHECK(nearest_double({"0015", 3}) == 1.5);
    CHECK(nearest_double({"", 5}) == 0);
    CHECK(nearest_double({"000", 5}) == 0);
    CHECK(nearest_double({"9007199254740993", 16}) == 0x1p53);  // between two doubles: to the even one
    CHECK(nearest_double({"9007199254740995", 16}) == 0x1p53 + 4);
    CHECK(nearest_double({"9007199254740993" + std::string(2000, '0') + "1", 16}) == 0x1p53 + 2);
    const std::string half = "9007199254740993" + std::string(kDecidingDigits, '0');
    CHECK(nearest_double({half + "0", 16}) == 0x1p53);
    CHECK(nearest_double({half + "1", 16}) == 0x1p53 + 2);
    CHECK(nearest_double({"17976931348623158", 309}) == kLargest);
    CHECK(nearest_double({"17976931348623159", 309}) == std::numeric_limits<double>::infinity());
    CHECK(nearest_double({"1", 1'000'000'000}) == std::numeric_limits<double>::infinity());
    CHECK(nearest_double({"1", -1'000'000'000}) == 0);
    CHECK(nearest_double({"24703282292062327", -323}) == 0);  // a little less than half of the smallest
    CHECK(nearest_double({"24703282292062328", -323}) == kSmallest);
}

TEST_CASE("the library reads the same number", "[decimal][reference]") {
    std::mt19937 generator(6);
    std::vector<Digits> numbers;
    for (int round = 0; round < attn::test::samples(20000); ++round) {
        const std::string digits = random_digits(generator, 1 + generator() % 30);
        numbers.push_back({digits, static_cast<int>(generator() % 700) - 350});
        numbers.push_back({digits, static_cast<int>(generator() % 40) - 20});
    }
    for (int round = 0; round < 1000; ++round) {
        const std::uint64_t high = generator() % 0x7FE00000;  // any exponent but the highest
        const Digits middle = middle_above(std::bit_cast<double>((round % 2 == 0 ? high << 32 : high) | generator()));
        numbers.push_back(middle);
        numbers.push_back({middle.digits + "1", middle.point});
        Digits below = middle;
        const std::size_t last = below.digits.find_last_not_of('0');
        --below.digits[last];
        numbers.push_back({below.digits.substr(0, last + 1) + "9999", below.point});
    }
    for (const Digits& number : numbers) {
        if (nearest_double(number) == read_by_library(number)) continue;
        CAPTURE(number.digits, number.point, nearest_double(number), read_by_library(number));
        FAIL("another number");
    }
    SUCCEED();
}
