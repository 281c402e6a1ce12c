// The scale of a plane and its grid lines, by their promises.
#include "scene/kit/plane_scale.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace attn;

namespace {

TEST_CASE("the origin and all points fit, and one of them at an edge", "[plane]") {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto number = [&] { return static_cast<double>(random()) / 4294967295.0 * 20 - 10; };
        std::vector<PlanePoint> points(1 + seed % 7);
        for (PlanePoint& point : points) point = {number(), number()};
        const bool is_line = seed % 3 == 0;
        const PlaneScale scale = fit_plane(points, 300, 200, is_line);
        points.emplace_back();
        double widest = 0;
        for (const PlanePoint& point : points) {
            const double x = std::abs(point.x - scale.center.x) * scale.unit / 150;
            const double y = std::abs(point.y - scale.center.y) * scale.unit / 100;
            widest = std::max({widest, x, is_line ? 0 : y});
        }
        CHECK(widest <= 1 + 1e-12);
        CHECK(widest >= 1 - 1e-12);
    }
}

TEST_CASE("points that are all zero, or no numbers, leave a plane from -1 to 1", "[plane]") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const PlanePoint point : {PlanePoint{0, 0}, PlanePoint{nan, 3}, PlanePoint{2, infinity}}) {
        const PlaneScale scale = fit_plane({point}, 300, 200, false);
        CHECK(scale.center.x == 0);
        CHECK(scale.center.y == 0);
        CHECK(scale.unit == 100);
    }
}

TEST_CASE("grid lines stand at round numbers, evenly, far enough apart, to both ends", "[plane]") {
    for (const double least : {0.03, 0.1, 0.7, 1.0, 1.1, 2.0, 4.9, 37.0, 1e-9, 3e6}) {
        CAPTURE(least);
        const double low = -7.3 * least;
        const double high = 11.9 * least;
        const std::vector<GridLine> lines = grid_lines(low, high, least);
        REQUIRE(lines.size() >= 3);
        const double distance = lines[1].place - lines[0].place;
        CHECK(distance >= least * (1 - 1e-9));
        CHECK(distance < 2.5 * least * (1 + 1e-9));
        const double leading = distance / std::pow(10, std::floor(std::log10(distance) + 1e-9));
        CHECK((std::abs(leading - 1) < 1e-6 || std::abs(leading - 2) < 1e-6 || std::abs(leading - 5) < 1e-6));
        CHECK(lines.front().place - distance < low);
        CHECK(lines.back().place + distance > high);
        int num_axes = 0;
        for (std::size_t k = 0; k < lines.size(); ++k) {
            num_axes += lines[k].is_axis ? 1 : 0;
            CHECK((lines[k].number == "0") == lines[k].is_axis);
            if (k > 0) CHECK(std::abs(lines[k].place - lines[k - 1].place - distance) < 1e-6 * distance);
        }
        CHECK(num_axes == 1);
    }
}

TEST_CASE("points further apart than any number says leave a plane without lines", "[plane][bad-input]") {
    const PlaneScale scale = fit_plane({{-1.7e308, 0}, {1.7e308, 1}}, 300, 200, false);
    CHECK(scale.unit == 0);
    const double half = 150 / scale.unit;
    CHECK(grid_lines(scale.center.x - half, scale.center.x + half, 48 / scale.unit).empty());
}

TEST_CASE("a grid line's number has the decimals its distance needs", "[plane]") {
    const std::vector<GridLine> lines = grid_lines(-0.1, 0.1, 0.04);
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].number == "−0.10");
    CHECK(lines[1].number == "−0.05");
    CHECK(lines[2].number == "0");
    CHECK(lines[4].number == "0.10");
    CHECK(grid_lines(90, 210, 60)[0].number == "100");
    CHECK(grid_lines(1, 2, 10).empty());
}

}  // namespace
