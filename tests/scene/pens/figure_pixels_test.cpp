#include "scene/pens/figure_pixels.h"

#include <catch_amalgamated.hpp>
#include <cmath>

namespace attn {
namespace {

TEST_CASE("a scale is kept where the picture can be drawn, else it is the largest at which it can", "[figure-pixels]") {
    const auto [width, height] = GENERATE(table<double, double>(
        {{300, 200}, {2024, 1654}, {12000, 300}, {300, 12000}, {8192, 8192}, {50000, 40000}, {1e6, 10}, {10, 1e7}}));
    const double scale = GENERATE(0.5, 1.0, 2.0, 8.0);
    const Figure figure = {.width = width, .height = height};
    const double fitting = scale_that_fits(figure, scale);
    CAPTURE(width, height, scale, fitting);
    CHECK(fitting > 0);
    CHECK(fitting <= scale);
    const auto fits = [&](double at) {
        const double right = std::round(width * at), bottom = std::round(height * at);
        return right <= kMaxPictureSide && bottom <= kMaxPictureSide && right * bottom <= kMaxPicturePixels;
    };
    CHECK(fits(fitting));
    // It is no smaller than it must be: two digits and one row of pixels are what may be lost.
    if (fitting < scale && fitting > 0.01) CHECK_FALSE(fits(fitting + 0.02));
    if (fits(scale * 1.01)) CHECK(fitting == scale);
}

}  // namespace
}  // namespace attn
