// Numbers as text: literal cases, and random numbers that must survive the way to text and back.
#include "playground/format.h"

#include <bit>
#include <catch_amalgamated.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

using attn::cell_number;
using attn::exact_number;
using attn::parse_number;
using attn::shown_number;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Code points of valid UTF-8.
int num_characters(std::string_view text) {
    int count = 0;
    for (const char byte : text) count += (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
    return count;
}

// Every float there is with the same chance for each bit pattern, so all magnitudes.
float random_float(std::mt19937& generator) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(generator()));
    return std::isfinite(value) ? value : 1.0f;
}

double random_double(std::mt19937& generator) {
    const std::uint64_t high = generator();
    const double value = std::bit_cast<double>((high << 32) | generator());
    return std::isfinite(value) ? value : 1.0;
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

}  // namespace

TEST_CASE("shown numbers have fixed decimals where that is readable", "[format]") {
    const auto [value, digits, expected] = GENERATE(table<double, int, std::string>({
        {0.4306, 4, "0.4306"},
        {1.4551, 4, "1.4551"},
        {0.15, 4, "0.1500"},
        {-2.0, 4, "−2.0000"},
        {0.0, 4, "0"},
        {-0.0, 4, "0"},
        {0.00012, 4, "0.0001"},
        {0.0001, 4, "0.0001"},
        {0.00009, 4, "9.0000e−5"},
        {-0.0000312345, 4, "−3.1235e−5"},
        {0.00009999999, 4, "0.0001"},  // rounds to what fixed decimals can show
        {999999.5, 4, "999999.5000"},
        {999999.99999, 4, "1000000.0000"},
        {1e6, 4, "1.0000e6"},
        {-1.5e300, 4, "−1.5000e300"},
        {5e-324, 4, "4.9407e−324"},
        {12.345, 1, "12.3"},
        {0.04, 1, "4.0e−2"},  // one decimal would show only zeros
        {0.96, 0, "1"},
        {2.5, 0, "2"},  // a tie, to the even digit
        {0.1, 17, "0.10000000000000001"},
        {kInfinity, 4, "∞"},
        {-kInfinity, 4, "−∞"},
        {std::nan(""), 4, "NaN"},
    }));
    CHECK(shown_number(value, digits) == expected);
}

TEST_CASE("cell numbers are short", "[format]") {
    const auto [value, expected] = GENERATE(table<double, std::string>({
        {0, "0"},           {-0.0, "0"},        {1, "1"},
        {0.16, ".16"},      {-0.4, "−.4"},      {12, "12"},
        {1e4, "1e4"},       {0.996, "1"},       {0.994, ".99"},
        {0.05, ".05"},      {0.043, ".04"},     {0.004, ".004"},
        {0.0096, ".01"},    {0.0004, "4e−4"},   {-0.0004, "−4e−4"},
        {2.46, "2.5"},      {9.94, "9.9"},      {9.96, "10"},
        {-99.6, "−100"},    {1234, "1234"},     {-9944, "−9944"},
        {9999, "1e4"},      {96000, "1e5"},     {-3.4e38, "−3e38"},
        {1.4e-45, "1e−45"}, {-1e-9, "−1e−9"},   {-1e-10, "−0"},
        {1e-100, "0"},      {100, "100"},       {10, "10"},
        {kInfinity, "∞"},   {-kInfinity, "−∞"}, {std::nan(""), "NaN"},
    }));
    CHECK(cell_number(value) == expected);
}

TEST_CASE("exact numbers are the shortest that read back the same", "[format]") {
    CHECK(exact_number(0.1f) == "0.1");
    CHECK(exact_number(0.1) == "0.1");
    CHECK(exact_number(static_cast<double>(0.1f)) == "0.10000000149011612");
    CHECK(exact_number(1.0f / 3) == "0.33333334");
    CHECK(exact_number(-0.0f) == "-0");
    CHECK(exact_number(42.0f) == "42");
    CHECK(exact_number(1e-5f) == "1e-5");
    CHECK(exact_number(1e5) == "1e5");
    CHECK(exact_number(1e30) == "1e30");
    CHECK(exact_number(16777216.0f) == "16777216");
    CHECK(exact_number(std::numeric_limits<float>::max()) == "3.4028235e38");
    CHECK(exact_number(std::numeric_limits<float>::denorm_min()) == "1e-45");
    CHECK(exact_number(-std::numeric_limits<double>::max()) == "-1.7976931348623157e308");
    // Read as a double and then rounded, the shorter 7.038531e-26 would be the next float.
    CHECK(exact_number(0x1.5c87fap-84f) == "7.03853069e-26");
    CHECK(static_cast<float>(*parse_number(exact_number(-0x1.5c87fap-84f))) == -0x1.5c87fap-84f);
    CHECK(exact_number(kInfinity) == "inf");
    CHECK(exact_number(-std::numeric_limits<float>::infinity()) == "-inf");
    CHECK(exact_number(-std::nan("")) == "nan");
}

TEST_CASE("typed numbers are read", "[format]") {
    const auto [text, expected] = GENERATE(table<std::string, double>({
        {"1", 1},
        {"-1.5", -1.5},
        {".5", 0.5},
        {"-.5", -0.5},
        {"2.", 2},
        {"1e-3", 1e-3},
        {"+1E+3", 1000},
        {"\u22121.5", -1.5},
        {"007", 7},
        {"3e\u22125", 3e-5},
        {" \t4\r\n", 4},
        {"1e-999", 0},
        {"0e999999999", 0},
        {"0.1", 0.1},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"5e-324", 5e-324},
        {"9007199254740993", 9007199254740992.0},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
    }));
    const std::optional<double> number = parse_number(text);
    REQUIRE(number.has_value());
    CHECK(*number == expected);
    CHECK(std::signbit(*number) == std::signbit(expected));
}

TEST_CASE("what is no number is not read", "[format][bad-input]") {
    const std::string text = GENERATE("", " ", ".", "-", "+-1", "--1", "e5", "1e", "1e+", "1e1.5", "1.2.3", "1,5",
                                      "1 2", "- 1", "nan", "NaN", "inf", "-infinity", "∞", "0x10", "0x1p3", "1f",
                                      "1e999", "-1e999", "١", "1\u00A0", "true", "\xE2\x88", "\x31\xFF");
    CHECK_FALSE(parse_number(text).has_value());
    CHECK_FALSE(parse_number(std::string_view("1\0", 2)).has_value());
}

TEST_CASE("any number survives the way to exact text and back, bit for bit", "[format][property]") {
    std::mt19937 generator(7);
    for (int round = 0; round < 50000; ++round) {
        const float single = random_float(generator);
        const std::string single_text = exact_number(single);
        const double read = parse_number(single_text).value_or(std::nan(""));
        const bool single_survives =
            std::bit_cast<std::uint32_t>(static_cast<float>(read)) == std::bit_cast<std::uint32_t>(single);

        const double value = random_double(generator);
        const std::string text = exact_number(value);
        if (text != shortest_of_library(value)) FAIL(text << " is not " << shortest_of_library(value));
        const double value_read = parse_number(text).value_or(std::nan(""));
        const bool survives = std::bit_cast<std::uint64_t>(value_read) == std::bit_cast<std::uint64_t>(value);

        if (single_survives && survives && single_text.size() <= 15 && text.size() <= 24) continue;
        CAPTURE(single_text, text);
        FAIL("a number does not survive, or its text is longer than needed");
    }
    SUCCEED();
}

TEST_CASE("shown and cell numbers are near the number they stand for", "[format][property]") {
    std::mt19937 generator(8);
    for (int round = 0; round < 50000; ++round) {
        const double wide = random_float(generator);
        const double usual = (static_cast<double>(generator()) - 2147483648.0) / std::pow(10.0, generator() % 14);
        for (const double value : {wide, usual}) {
            const double size = std::abs(value);
            // Half a unit of the last place shown: 4 decimals, or 5 significant digits. The second term covers the
            // rounding of the comparison itself.
            const double shown = parse_number(shown_number(value)).value_or(std::nan(""));
            const double shown_bound =
                std::max(size >= 1e-4 && size < 1e6 ? 0.5e-4 : 0.0, size * 0.5e-4) + size * 1e-15;
            // Half a unit of the first significant digit is at most 50 %, whatever is below 1e-9 may be shown as 0.
            const std::string cell = cell_number(value);
            const double cell_read = parse_number(cell).value_or(std::nan(""));
            const double cell_bound = std::max(1e-9, 0.5 * size);
            if (std::abs(shown - value) <= shown_bound && std::abs(cell_read - value) <= cell_bound &&
                num_characters(cell) <= 5) {
                continue;
            }
            CAPTURE(value, shown_number(value), cell);
            FAIL("too far from the number, or too long");
        }
    }
    SUCCEED();
}

TEST_CASE("reading any bytes gives a finite number or nothing", "[format][property][bad-input]") {
    constexpr std::string_view kAlphabet = "0123456789..--++eE ,xnaif\t\xE2\x88\x92\0";
    std::mt19937 generator(9);
    for (int round = 0; round < 100000; ++round) {
        std::string text;
        const auto length = generator() % 10;
        for (std::uint32_t i = 0; i < length; ++i) text += kAlphabet[generator() % kAlphabet.size()];
        const std::optional<double> number = parse_number(text);
        if (!number) continue;
        if (std::isfinite(*number) && parse_number(exact_number(*number)) == number) continue;
        CAPTURE(text);
        FAIL("read as a number that does not read back");
    }
    SUCCEED();
}
