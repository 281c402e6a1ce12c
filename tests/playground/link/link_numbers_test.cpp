// Numbers in links: what can be read is read, what cannot leaves the field alone and says so.
#include "playground/link/link_numbers.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

using namespace attn;

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kLargestSeed = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TEST_CASE("infinite and undefined numbers are recognised", "[link][bad-input]") {
    CHECK(read_double(" 1.5 ") == 1.5);
    CHECK(read_double("inf") == kEndless);
    CHECK(read_double("-Infinity") == -kEndless);
    CHECK(read_double("1e400") == std::numeric_limits<double>::max());
    CHECK(read_double("-1e400") == -std::numeric_limits<double>::max());
    CHECK(read_double(std::string(400, '9')) == std::numeric_limits<double>::max());
    REQUIRE(read_double("NaN").has_value());
    CHECK(std::isnan(*read_double("NaN")));
    for (const std::string_view text : {"", " ", "0x10", "1,5", "abc", "1 2", "inf!", "infinity and more"}) {
        CAPTURE(text);
        CHECK_FALSE(read_double(text).has_value());
    }
}

TEST_CASE("the nearest float of a large double is the largest float", "[link]") {
    CHECK(nearest_float(0.1) == 0.1f);
    CHECK(nearest_float(1e39) == std::numeric_limits<float>::max());
    CHECK(nearest_float(-1e300) == -std::numeric_limits<float>::max());
    CHECK(std::isinf(nearest_float(kEndless)));
    CHECK(std::isnan(nearest_float(std::numeric_limits<double>::quiet_NaN())));
    CHECK(nearest_float(1e-60) == 0.0f);
    // The largest float is written 3.4028235e38, which as a double lies a little above it.
    CHECK_FALSE(is_too_large_for_float(3.4028235e38));
    CHECK(nearest_float(3.4028235e38) == std::numeric_limits<float>::max());
    CHECK(is_too_large_for_float(-3.4028236e38));
    CHECK_FALSE(is_too_large_for_float(kEndless));
}

TEST_CASE("whole numbers are rounded and bounded, with a note where that is not obvious", "[link][bad-input]") {
    struct Case {
        std::string_view text;
        int number;
        std::size_t num_notes;
    };
    const Case c = GENERATE(values<Case>({{"12", 12, 0},
                                          {"1e2", 100, 0},
                                          {"-3", -3, 0},
                                          {"2.7", 3, 1},
                                          {"-0.2", 0, 1},
                                          {"1e9", 1000000000, 0},
                                          {"1e300", 1000000000, 0},
                                          {"-inf", -1000000000, 0},
                                          {"nan", 7, 1},
                                          {"seven", 7, 1},
                                          {"", 7, 1}}));
    CAPTURE(c.text);
    int field = 7;
    Notes notes;
    read_whole(c.text, "heads", field, notes);
    CHECK(field == c.number);
    CHECK(notes.size() == c.num_notes);
}

TEST_CASE("seeds are exact from 0 to 2^64 - 1", "[link][bad-input]") {
    struct Case {
        std::string_view text;
        std::uint64_t seed;
        std::size_t num_notes;
    };
    const Case c = GENERATE(values<Case>({{"0", 0, 0},
                                          {"18446744073709551615", kLargestSeed, 0},
                                          {"9007199254740993", 9007199254740993U, 0},  // 2^53 + 1 is no double
                                          {"18446744073709551616", kLargestSeed, 1},
                                          {"1e3", 1000, 0},
                                          {"1e30", kLargestSeed, 1},
                                          {"inf", kLargestSeed, 1},
                                          {"-1", 0, 1},
                                          {"0.6", 1, 1},
                                          {"nan", 5, 1},
                                          {"five", 5, 1}}));
    CAPTURE(c.text);
    std::uint64_t field = 5;
    Notes notes;
    read_seed(c.text, "seed", field, notes);
    CHECK(field == c.seed);
    CHECK(notes.size() == c.num_notes);
}

TEST_CASE("flags are 0 or 1", "[link][bad-input]") {
    const auto read = [](std::string_view text, bool before) {
        Notes notes;
        bool field = before;
        read_flag(text, "bias", field, notes);
        return std::pair(field, notes.size());
    };
    CHECK(read("1", false) == std::pair(true, std::size_t{0}));
    CHECK(read("0", true) == std::pair(false, std::size_t{0}));
    CHECK(read("2", false) == std::pair(true, std::size_t{1}));
    CHECK(read("yes", false) == std::pair(false, std::size_t{1}));
    CHECK(read("", true) == std::pair(true, std::size_t{1}));
}

TEST_CASE("a choice that does not exist leaves the old one and names those that do", "[link][bad-input]") {
    Mask mask = Mask::none;
    Notes notes;
    read_choice(kMaskWords, "causal", "mask", mask, notes);
    CHECK(mask == Mask::causal);
    CHECK(notes.empty());
    read_choice(kMaskWords, "Causal", "mask", mask, notes);
    CHECK(mask == Mask::causal);
    CHECK(notes == Notes{"mask stays causal: \"Causal\" is none of causal, none"});
}
