// Numbers as text: literal cases, and random numbers that must survive the way to text and back.
#include "playground/text/format.h"
#include "samples.h"

#include <bit>
#include <catch_amalgamated.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

using attn::after_minus;
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

TEST_CASE("cell numbers have one form", "[format]") {
    const auto [value, expected] = GENERATE(table<double, std::string>({
        {0, "0"},         {-0.0, "0"},        {1, "1"},
        {-3, "−3"},       {0.6, ".60"},       {0.16, ".16"},
        {-0.4, "−.40"},   {0.996, "1.00"},    {0.994, ".99"},
        {0.05, ".05"},    {0.043, ".04"},     {0.0096, ".01"},
        {0.0051, ".01"},  {0.0049, "<.01"},   {-0.0049, ">−.01"},
        {1e-10, "<.01"},  {-1e-30, ">−.01"},  {-0.0051, "−.01"},
        {1.2, "1.20"},    {2.456, "2.46"},    {-1.43, "−1.43"},
        {9.994, "9.99"},  {9.996, "10.0"},    {12, "12"},
        {12.34, "12.3"},  {-99.94, "−99.9"},  {99.96, "100"},
        {-99.6, "−99.6"}, {1234.5, "1234"},   {-9944, "−9944"},
        {9999.4, "9999"}, {9999.6, "1e4"},    {1e4, "1e4"},
        {96000, "1e5"},   {-3.4e38, "−3e38"}, {10, "10"},
        {kInfinity, "∞"}, {-kInfinity, "−∞"}, {std::nan(""), "NaN"},
    }));
    CHECK(cell_number(value) == expected);
}

TEST_CASE("a negative number behind a minus stands in brackets", "[format]") {
    CHECK(after_minus(1.25) == "1.2500");
    CHECK(after_minus(-1.25) == "(−1.2500)");
    CHECK(after_minus(0) == "0");
    CHECK(after_minus(-kInfinity) == "(−∞)");
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

TEST_CASE("a number of a million digits is read as what it is", "[format]") {
    const std::string zeros(1'000'000, '0'), ones(1'000'000, '1');
    CHECK(parse_number("0." + ones) == 1.0 / 9);
    CHECK(parse_number(zeros + "1.5" + zeros) == 1.5);
    CHECK(parse_number("0." + zeros + "25e1000000") == 0.25);
    CHECK(parse_number("25" + zeros + "e-1000001") == 2.5);
    CHECK(parse_number("-" + ones + "." + ones + "e-1000000") == -1.0 / 9);
    CHECK(parse_number(zeros) == 0.0);
    CHECK(parse_number("." + zeros) == 0.0);
    CHECK_FALSE(parse_number(ones));
    CHECK_FALSE(parse_number("1e" + ones));
    CHECK_FALSE(parse_number("0." + ones + "x"));
    // Halfway between two doubles but for the last digit.
    CHECK(parse_number("9007199254740993." + zeros) == 0x1p53);
    CHECK(parse_number("9007199254740993." + zeros + "1") == 0x1p53 + 2);
    CHECK(parse_number("9007199254740993" + zeros + "1e-1000001") == 0x1p53 + 2);
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
    for (int round = 0; round < attn::test::samples(50000); ++round) {
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
    for (int round = 0; round < attn::test::samples(50000); ++round) {
        const double wide = random_float(generator);
        const double usual = (static_cast<double>(generator()) - 2147483648.0) / std::pow(10.0, generator() % 14);
        for (const double value : {wide, usual}) {
            const double size = std::abs(value);
            // Half a unit of the last place shown: 4 decimals, or 5 significant digits. The second term covers the
            // rounding of the comparison itself.
            const double shown = parse_number(shown_number(value)).value_or(std::nan(""));
            const double shown_bound =
                std::max(size >= 1e-4 && size < 1e6 ? 0.5e-4 : 0.0, size * 0.5e-4) + size * 1e-15;
            // Half a unit of the last place shown: two decimals below 10, one below 100, none below 1e4; beyond it
            // half a unit of the one digit, at most 50 %. Below half a hundredth the cell names a bound.
            const std::string cell = cell_number(value);
            const bool is_bound = cell == "<.01" || cell == ">−.01";
            const double cell_read = is_bound ? 0 : parse_number(cell).value_or(std::nan(""));
            const double cell_bound = (size < 9.995    ? 0.005
                                       : size < 99.95  ? 0.05
                                       : size < 9999.5 ? 0.5
                                                       : 0.5 * size) +
                                      size * 1e-15;
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
    for (int round = 0; round < attn::test::samples(100000); ++round) {
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
