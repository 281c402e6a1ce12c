// The colour maps are held to numbers: even steps, the sRGB gamut, legible ink, and eyes that lack a kind of cone.
#include "scene/kit/colormap.h"

#include <algorithm>
#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <vector>

using namespace attn;

namespace {

constexpr int kSteps = 64;

double to_linear(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}
float to_encoded(double linear) {
    const double held = std::clamp(linear, 0.0, 1.0);
    return static_cast<float>(held <= 0.0031308 ? 12.92 * held : 1.055 * std::pow(held, 1 / 2.4) - 0.055);
}

using Three = std::array<double, 3>;
using Square = std::array<Three, 3>;

Three times(const Square& matrix, const Three& v) {
    Three result{};
    for (int i = 0; i < 3; ++i) result[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
    return result;
}

Three linear_of(Rgb color) {
    return {to_linear(color.r), to_linear(color.g), to_linear(color.b)};
}

// OKLab (Ottosson 2020): another space than the one the maps are made in, so that the test is not a mirror.
Three oklab(Rgb color) {
    const Square to_cones = {{{0.4122214708, 0.5363325363, 0.0514459929},
                              {0.2119034982, 0.6806995451, 0.1073969566},
                              {0.0883024619, 0.2817188376, 0.6299787005}}};
    const Square to_lab = {{{0.2104542553, 0.7936177850, -0.0040720468},
                            {1.9779984951, -2.4285922050, 0.4505937099},
                            {0.0259040371, 0.7827717662, -0.8086757660}}};
    Three cones = times(to_cones, linear_of(color));
    for (double& cone : cones) cone = std::cbrt(cone);
    return times(to_lab, cones);
}

double oklab_distance(Rgb a, Rgb b) {
    const Three p = oklab(a);
    const Three q = oklab(b);
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

struct Eyes {
    const char* name;
    Square matrix;  // in linear sRGB
};

// Machado, Oliveira and Fernandes 2009, severity 1.0.
const std::array<Eyes, 3> kColorBlindEyes = {
    {{"protanopia",
      {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
     {"deuteranopia",
      {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
     {"tritanopia",
      {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}}};

Rgb seen_by(const Eyes& eyes, Rgb color) {
    const Three seen = times(eyes.matrix, linear_of(color));
    return {to_encoded(seen[0]), to_encoded(seen[1]), to_encoded(seen[2])};
}

// The colours from `from` to `to`, kSteps steps.
std::vector<Rgb> walk(ColorMap map, bool is_dark, float from, float to) {
    std::vector<Rgb> colors;
    for (int k = 0; k <= kSteps; ++k) {
        colors.push_back(map_color(map, is_dark, from + (to - from) * static_cast<float>(k) / kSteps));
    }
    return colors;
}

// Every stretch on which lightness must run one way.
struct Stretch {
    ColorMap map;
    bool is_dark;
    float from, to;
};
const std::vector<Stretch> kStretches = {{ColorMap::sequential, false, 0, 1},  {ColorMap::sequential, true, 0, 1},
                                         {ColorMap::diverging, false, 0.5, 1}, {ColorMap::diverging, false, 0.5, 0},
                                         {ColorMap::diverging, true, 0.5, 1},  {ColorMap::diverging, true, 0.5, 0}};

}  // namespace

TEST_CASE("lightness falls or rises in even steps from end to end", "[colormap][property]") {
    for (const Stretch& stretch : kStretches) {
        const std::vector<Rgb> colors = walk(stretch.map, stretch.is_dark, stretch.from, stretch.to);
        const double mean = (lightness(colors.back()) - lightness(colors.front())) / kSteps;
        CHECK(std::abs(mean) * kSteps > 50);  // enough of it to read
        CHECK((mean > 0) == stretch.is_dark);
        for (int k = 0; k < kSteps; ++k) {
            CAPTURE(static_cast<int>(stretch.map), stretch.is_dark, k);
            // Made on a straight line; what is left is rounding to float and clamping to the gamut.
            CHECK((lightness(colors[k + 1]) - lightness(colors[k])) / mean == Catch::Approx(1).margin(0.05));
        }
    }
}

TEST_CASE("equal steps of a number are nearly equal steps of colour", "[colormap][property]") {
    for (const Stretch& stretch : kStretches) {
        const std::vector<Rgb> colors = walk(stretch.map, stretch.is_dark, stretch.from, stretch.to);
        std::vector<double> steps;
        for (int k = 0; k < kSteps; ++k) steps.push_back(oklab_distance(colors[k], colors[k + 1]));
        const auto [smallest, largest] = std::minmax_element(steps.begin(), steps.end());
        CAPTURE(static_cast<int>(stretch.map), stretch.is_dark, *smallest, *largest);
        // Even in one space is not even in another; a rainbow has more than 10 here.
        CHECK(*largest / *smallest < 2.2);
    }
}

TEST_CASE("the maps still run one way for eyes that lack a kind of cone", "[colormap][property]") {
    for (const Eyes& eyes : kColorBlindEyes) {
        for (const Stretch& stretch : kStretches) {
            const std::vector<Rgb> colors = walk(stretch.map, stretch.is_dark, stretch.from, stretch.to);
            const double direction = stretch.is_dark ? 1 : -1;
            for (int k = 0; k < kSteps; ++k) {
                const double before = lightness(seen_by(eyes, colors[k]));
                const double after = lightness(seen_by(eyes, colors[k + 1]));
                CAPTURE(eyes.name, static_cast<int>(stretch.map), stretch.is_dark, k);
                CHECK(direction * (after - before) > 0);
            }
        }
        for (const bool is_dark : {false, true}) {
            const Rgb below = seen_by(eyes, map_color(ColorMap::diverging, is_dark, 0.25F));
            const Rgb above = seen_by(eyes, map_color(ColorMap::diverging, is_dark, 0.75F));
            CAPTURE(eyes.name, is_dark);
            CHECK(oklab_distance(below, above) > 0.06);  // about six times what can just be told apart
        }
    }
}

TEST_CASE("ink on any cell has a contrast of at least 4.5", "[colormap][property]") {
    for (const Stretch& stretch : kStretches) {
        for (const Rgb color : walk(stretch.map, stretch.is_dark, stretch.from, stretch.to)) {
            CHECK(contrast(color, ink_on(color)) >= 4.5);
        }
    }
    for (int grey = 0; grey <= 255; ++grey) {
        const float part = static_cast<float>(grey) / 255;
        CHECK(contrast({part, part, part}, ink_on({part, part, part})) >= 4.5);
    }
}

TEST_CASE("zero of the diverging map is the paper to the last bit", "[colormap]") {
    for (const bool is_dark : {false, true}) {
        CHECK(map_color(ColorMap::diverging, is_dark, 0.5F) == paper_color(is_dark));
        // and the map starts there without a jump: one 255th is what a screen can show
        const Rgb near = map_color(ColorMap::diverging, is_dark, 0.5F + 1e-6F);
        CHECK(std::abs(near.r - paper_color(is_dark).r) < 1.0 / 255);
        CHECK(std::abs(near.g - paper_color(is_dark).g) < 1.0 / 255);
        CHECK(std::abs(near.b - paper_color(is_dark).b) < 1.0 / 255);
    }
}

TEST_CASE("positions outside the map are its ends", "[colormap][bad-input]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(map_color(ColorMap::sequential, false, -3) == map_color(ColorMap::sequential, false, 0));
    CHECK(map_color(ColorMap::sequential, false, infinity) == map_color(ColorMap::sequential, false, 1));
    CHECK(map_color(ColorMap::sequential, false, nan) == map_color(ColorMap::sequential, false, 0));
    CHECK(map_position(5, 0, 4) == 1);
    CHECK(map_position(-infinity, -1, 1) == 0);
    CHECK(map_position(nan, -1, 1) == 0);
    CHECK(map_position(1, 0, 4) == 0.25F);
    CHECK(map_position(0, -3e38F, 3e38F) == 0.5F);
}

TEST_CASE("the colours of eight heads differ for all eyes and are seen on the paper", "[colormap]") {
    for (const bool is_dark : {false, true}) {
        for (int head = 0; head < 8; ++head) {
            CHECK(head_color(head, is_dark) == head_color(head + 8, is_dark));
            CHECK(contrast(head_color(head, is_dark), paper_color(is_dark)) >= 3);  // WCAG 1.4.11
            for (int other = 0; other < head; ++other) {
                CAPTURE(head, other, is_dark);
                const Rgb one = head_color(head, is_dark), two = head_color(other, is_dark);
                CHECK(oklab_distance(one, two) > 0.08);
                for (const Eyes& eyes : kColorBlindEyes) {
                    CAPTURE(eyes.name);
                    CHECK(oklab_distance(seen_by(eyes, one), seen_by(eyes, two)) > 0.065);
                }
            }
        }
    }
}

TEST_CASE("contrast and lightness agree with published values", "[colormap][golden]") {
    // WCAG 2: black on white is 21 : 1, #777777 on white is 4.48 : 1; CIE L* of mid grey #777777 is 50.03.
    const float grey = 0x77 / 255.0F;
    CHECK(contrast({0, 0, 0}, {1, 1, 1}) == Catch::Approx(21).margin(1e-3));
    CHECK(contrast({grey, grey, grey}, {1, 1, 1}) == Catch::Approx(4.48).margin(0.005));
    CHECK(lightness({grey, grey, grey}) == Catch::Approx(50.03).margin(0.01));
    CHECK(lightness({1, 1, 1}) == Catch::Approx(100).margin(1e-3));
}

TEST_CASE("ink is near-black or white, whichever has more contrast", "[colormap][property]") {
    constexpr Rgb kNearBlack = {0.02F, 0.02F, 0.02F};
    constexpr Rgb kWhite = {1, 1, 1};
    for (int step = 0; step < 64; ++step) {  // greys and mixed colours: all of a coarse cube
        const Rgb ground = {static_cast<float>(step / 16) / 3, static_cast<float>(step / 4 % 4) / 3,
                            static_cast<float>(step % 4) / 3};
        CAPTURE(ground.r, ground.g, ground.b);
        const bool is_light = contrast(ground, kNearBlack) >= contrast(ground, kWhite);
        CHECK(ink_on(ground) == (is_light ? kNearBlack : kWhite));
    }
}

TEST_CASE("an ink scale knows the ink of every step of a map", "[colormap]") {
    for (const Stretch& stretch : kStretches) {
        const InkScale inks(stretch.map, stretch.is_dark);
        for (const float place : {0.0F, 5.0F / 127, 64.0F / 127, 100.0F / 127, 1.0F}) {
            CAPTURE(static_cast<int>(stretch.map), stretch.is_dark, place);
            CHECK(inks.at(place) == ink_on(map_color(stretch.map, stretch.is_dark, place)));
        }
    }
}
