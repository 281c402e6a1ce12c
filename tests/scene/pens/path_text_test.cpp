#include "scene/pens/path_text.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstdlib>

namespace attn {
namespace {

TEST_CASE("a length has at most two decimals, none that are zeros", "[svg]") {
    const auto [value, text] = GENERATE(table<double, std::string>({{0, "0"},
                                                                    {12, "12"},
                                                                    {-3.25, "-3.25"},
                                                                    {0.5, "0.5"},
                                                                    {0.05, "0.05"},
                                                                    {-0.004, "0"},
                                                                    {-0.006, "-0.01"},
                                                                    {99.999, "100"},
                                                                    {1234567.1, "1234567.1"}}));
    CHECK(short_number(value) == text);
}

TEST_CASE("every length is read back within half a hundredth", "[svg][property]") {
    for (int k = -4000; k < 4000; ++k) {
        const double value = k * 0.37 + std::sin(k);
        // Half a hundredth is what rounding may do, and a little for the decimal fraction itself.
        CHECK(std::abs(std::strtod(short_number(value).c_str(), nullptr) - value) <= 0.005 + 1e-9);
    }
}

TEST_CASE("a path leaves out what the command before says", "[svg]") {
    const std::vector<FigurePiece> pieces = {{.step = FigureStep::move, .to = {1, 2}},
                                             {.step = FigureStep::line, .to = {1, 5}},
                                             {.step = FigureStep::line, .to = {4, 5}},
                                             {.step = FigureStep::close},
                                             {.step = FigureStep::line, .to = {3, 2}},
                                             {.step = FigureStep::box, .to = {0, 0}, .a = {2.5, 3}},
                                             {.step = FigureStep::box, .to = {-5, 0}, .a = {-2.5, 3}}};
    CHECK(path_data(pieces) == "M1 2V5H4ZH3M0 0H2.5V3H0ZM-5 0H-2.5V3H-5Z");
    CHECK(path_data({}).empty());
    CHECK(point_text({3, -4.5}) == "3-4.5");
}

}  // namespace
}  // namespace attn
