// Our own functions against true values (golden/portable_math.txt, from exact arithmetic), against the C library over
// many arguments, and against themselves on other machines: the bits of all results have one hash.
#include "core/ground/portable_math.h"
#include "project_folder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/failed_check.h"
#include "core/ground/portable_exp.h"
#include "core/ground/random.h"

namespace attn::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Function {
    std::string_view name;
    double (*ours)(double);
    double (*library)(double);
    double low, high;
    double ulps;         // allowed distance to the true value
    std::uint64_t bits;  // of 100,000 results
};

// The distances are those that portable_math.h names, measured to the nearest double of the true value: at most half an
// ulp more, so a whole number of doubles.
constexpr Function kFunctions[] = {
    {"exp", portable::exp, std::exp, -700, 700, 1, 0x10e1c0e194c60070},
    {"log", portable::log, std::log, 0, 1, 1, 0x146f1bf3b8adc88a},
    {"log2", portable::log2, std::log2, 0, 1, 2, 0x20a39009be4d6b6e},
    {"sin", portable::sin, std::sin, -0x1p20, 0x1p20, 1, 0xddf42077a495a27d},
    {"cos", portable::cos, std::cos, -0x1p20, 0x1p20, 1, 0x6da9ccf5237c39c0},
    {"acos", portable::acos, std::acos, -1, 1, 2, 0xc640b63544fbf455},
    {"power_of_10000", portable::power_of_10000, [](double x) { return std::pow(10000.0, x); }, 0, 1, 1,
     0x0f88e09d7cca7d11},
    {"tanh", portable::tanh, std::tanh, -20, 20, 3, 0x6b41e0953599d88c},
};

// How many doubles lie between a and b.
double ulps_between(double a, double b) {
    if (a == b) return 0;
    const double spacing = std::nextafter(std::abs(b), kInfinity) - std::abs(b);
    return std::abs(a - b) / spacing;
}

// Uniform in [low, high): the standard's distributions are not the same everywhere, 53 bits of a draw are.
double uniform(std::mt19937_64& engine, double low, double high) {
    return low + static_cast<double>(engine() >> 11) * 0x1p-53 * (high - low);
}

}  // namespace

TEST_CASE("each function is as near to the true value as its header says", "[portable_math][golden]") {
    std::ifstream file(std::string(test::kProjectFolder) + "/tests/golden/portable_math.txt");
    int count = 0;
    for (std::string name, argument, value; file >> name >> argument >> value; ++count) {
        const auto* function = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                            [&](const Function& one) { return one.name == name; });
        REQUIRE(function != std::end(kFunctions));
        CAPTURE(name, argument, value);
        const double result = function->ours(std::strtod(argument.c_str(), nullptr));
        CHECK(ulps_between(result, std::strtod(value.c_str(), nullptr)) <= function->ulps);
    }
    CHECK(count > 1300);
}

TEST_CASE("each function gives the same bits on every machine, near those of the C library", "[portable_math]") {
    for (const Function& function : kFunctions) {
        CAPTURE(function.name);
        std::mt19937_64 engine(17);
        std::uint64_t bits = 0;
        double worst = 0;
        for (int i = 0; i < 100000; ++i) {
            const double x = uniform(engine, function.low, function.high);
            const double result = function.ours(x);
            bits = (bits ^ std::bit_cast<std::uint64_t>(result)) * 0x100000001b3U;
            bits ^= bits >> 32;
            worst = std::max(worst, ulps_between(result, function.library(x)));
        }
        CHECK(bits == function.bits);
        CHECK(worst <= function.ulps + 1);  // the library may be off by one, too
    }
}

TEST_CASE("exponentials side by side have the bits of one", "[math][property]") {
    TorchGenerator generator(11);
    std::vector<float> drawn(400'000);
    fill_uniform(generator, drawn, -1, 1);
    for (std::size_t i = 0; i < drawn.size(); i += 4) {
        // Large and small ones, next to 0, and where the result is next to 0.
        std::array<double, 4> numbers = {708 * static_cast<double>(drawn[i]), static_cast<double>(drawn[i + 1]),
                                         1e-9 * static_cast<double>(drawn[i + 2]),
                                         -727 + 20 * static_cast<double>(drawn[i + 3])};
        const std::array<double, 4> alone = {portable::exp(numbers[0]), portable::exp(numbers[1]),
                                             portable::exp(numbers[2]), portable::exp(numbers[3])};
        portable::exp_of_each(numbers);
        REQUIRE(numbers == alone);
    }
    std::array<double, 4> far = {-1e300, 1e300, 0, -745.1};
    portable::exp_of_each(far);
    CHECK(far[0] == 0);
    CHECK(far[1] == portable::exp(709));
    CHECK(far[2] == 1);
    CHECK(far[3] == portable::exp(-745.1));
}

TEST_CASE("the functions at the ends of their ranges", "[portable_math][bad-input]") {
    CHECK(portable::exp(0) == 1);
    CHECK(portable::exp(-kInfinity) == 0);
    CHECK(portable::exp(-1e300) == 0);
    CHECK(portable::exp(kInfinity) == kInfinity);
    CHECK(portable::exp(709.8) == kInfinity);
    CHECK(portable::exp(-745.1) == std::numeric_limits<double>::denorm_min());
    CHECK(std::isnan(portable::exp(kNan)));
    CHECK(portable::log(1) == 0);
    CHECK(portable::log(0) == -kInfinity);
    CHECK(portable::log(kInfinity) == kInfinity);
    CHECK(std::isnan(portable::log(-1)));
    CHECK(std::isnan(portable::log(kNan)));
    CHECK(std::isnan(portable::log2(kNan)));
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        REQUIRE(portable::log2(std::ldexp(1.0, exponent)) == exponent);
    }
    CHECK(portable::sin(0) == 0);
    CHECK(portable::cos(0) == 1);
    CHECK(std::isnan(portable::sin(kNan)));
    CHECK(std::isnan(portable::cos(kNan)));
    CHECK(portable::acos(1) == 0);
    CHECK(portable::acos(-1) == std::acos(-1.0));
    CHECK(std::isnan(portable::acos(kNan)));
    CHECK(portable::power_of_10000(0) == 1);
    CHECK(portable::power_of_ten(3) == 1000);
    CHECK(portable::power_of_ten(-3) == 0.001);
    CHECK(portable::power_of_ten(-22) == 1e-22);
    CHECK(failed_check([] { portable::sin(2e6); }).find("angle is 2") != std::string::npos);
    CHECK(failed_check([] { portable::acos(1.5); }).find("x is 1.5") != std::string::npos);
    CHECK(failed_check([] { portable::power_of_10000(2); }).find("exponent is 2") != std::string::npos);
    CHECK(failed_check([] { portable::power_of_ten(23); }).find("exponent is 23") != std::string::npos);
}

}  // namespace attn::test
