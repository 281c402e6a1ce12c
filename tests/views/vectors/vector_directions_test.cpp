// Directions of a plane: cases with a known answer, and what must hold for any vectors.
#include "views/vectors/vector_directions.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "core/ground/random.h"

using namespace attn;

namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
    return sum;
}

// What the direction keeps of the squared lengths, by a plain loop.
double kept(const std::vector<float>& numbers, int width, const std::vector<double>& direction) {
    double along = 0;
    double all = 0;
    for (std::size_t at = 0; at < numbers.size(); at += static_cast<std::size_t>(width)) {
        double part = 0;
        for (std::size_t c = 0; c < direction.size(); ++c) part += static_cast<double>(numbers[at + c]) * direction[c];
        along += part * part;
    }
    for (const float number : numbers) all += static_cast<double>(number) * static_cast<double>(number);
    return along / all;
}

// Vectors much longer along some channels than along others.
std::vector<float> some_vectors(int count, int width, std::uint32_t seed) {
    TorchGenerator generator(seed);
    std::vector<float> numbers;
    for (int i = 0; i < count; ++i) {
        for (int c = 0; c < width; ++c) {
            numbers.push_back((generator.uniform24() * 2 - 1) * 4.0F / static_cast<float>(1 + c));
        }
    }
    return numbers;
}

// Iterated to a hundredth of the tolerance and more in double.
constexpr double kTolerance = 1e-9;

}  // namespace

TEST_CASE("principal directions of vectors along turned axes are those axes", "[vectors]") {
    // 30 along (3, 4, 0) / 5, 20 along (-4, 3, 0) / 5, 5 along (0, 0, 1): squared lengths 900, 400, 25 of 1325.
    const std::vector<float> numbers = {18, 24, 0, -16, 12, 0, 0, 0, 5};
    const PlaneDirections plane = principal_directions({numbers}, 3);
    const std::vector<double> x = {0.6, 0.8, 0};
    const std::vector<double> y = {0.8, -0.6, 0};  // the sign that makes the largest entry positive
    for (std::size_t c = 0; c < 3; ++c) {
        CHECK(plane.x[c] == Catch::Approx(x[c]).margin(kTolerance));
        CHECK(plane.y[c] == Catch::Approx(y[c]).margin(kTolerance));
    }
    CHECK(plane.share_x == Catch::Approx(900.0 / 1325).margin(kTolerance));
    CHECK(plane.share_y == Catch::Approx(400.0 / 1325).margin(kTolerance));
}

TEST_CASE("several sets count as one, and the origin is where it is", "[vectors]") {
    // All vectors share their first channel: uncentred, that is the first direction.
    const std::vector<float> queries = {10, 1, 0, 10, -1, 0};
    const std::vector<float> keys = {10, 0, 2, 10, 0, -2};
    const PlaneDirections plane = principal_directions({queries, keys}, 3);
    CHECK(plane.x[0] == Catch::Approx(1).margin(kTolerance));
    CHECK(plane.y[2] == Catch::Approx(1).margin(kTolerance));
    CHECK(plane.share_x == Catch::Approx(400.0 / 410).margin(kTolerance));
    CHECK(plane.share_y == Catch::Approx(8.0 / 410).margin(kTolerance));
}

TEST_CASE("principal directions are unit, at right angles, and keep more than any channel", "[vectors][property]") {
    for (const int width : {2, 3, 8, 64}) {
        for (const int count : {1, 2, 5, 40}) {
            CAPTURE(width, count);
            const std::vector<float> numbers = some_vectors(count, width, static_cast<std::uint32_t>(width + count));
            const PlaneDirections plane = principal_directions({numbers}, width);
            CHECK(dot(plane.x, plane.x) == Catch::Approx(1).margin(kTolerance));
            CHECK(dot(plane.y, plane.y) == Catch::Approx(1).margin(kTolerance));
            CHECK(dot(plane.x, plane.y) == Catch::Approx(0).margin(kTolerance));
            CHECK(plane.share_x == Catch::Approx(kept(numbers, width, plane.x)).margin(kTolerance));
            CHECK(plane.share_x >= plane.share_y - kTolerance);
            CHECK(plane.share_x + plane.share_y <= 1 + kTolerance);
            for (int c = 0; c + 1 < width; ++c) {
                const PlaneDirections channels = channel_directions({numbers}, width, c, c + 1);
                CHECK(plane.share_x >= channels.share_x - kTolerance);
                CHECK(plane.share_x + plane.share_y >= channels.share_x + channels.share_y - kTolerance);
            }
            if (count == 1) CHECK(plane.share_x == Catch::Approx(1).margin(kTolerance));
            if (width == 2) CHECK(plane.share_x + plane.share_y == Catch::Approx(1).margin(kTolerance));
        }
    }
}

TEST_CASE("vectors without lengths, or with none but infinite ones, still have a plane", "[vectors]") {
    const std::vector<float> zeros(12, 0);
    const std::vector<float> infinite = {INFINITY, 1, 2, 3, NAN, 0};
    for (const std::vector<float>& numbers : {zeros, infinite}) {
        const PlaneDirections plane = principal_directions({numbers}, 3);
        CHECK(dot(plane.x, plane.x) == Catch::Approx(1));
        CHECK(dot(plane.y, plane.y) == Catch::Approx(1));
        CHECK(dot(plane.x, plane.y) == Catch::Approx(0).margin(kTolerance));
        CHECK(plane.share_x == 0);
    }
}

TEST_CASE("channels are themselves, and a single one has no second", "[vectors]") {
    const std::vector<float> numbers = {3, 0, 4};
    const PlaneDirections plane = channel_directions({numbers}, 3, 2, 0);
    CHECK(plane.x == std::vector<double>{0, 0, 1});
    CHECK(plane.y == std::vector<double>{1, 0, 0});
    CHECK(plane.share_x == Catch::Approx(16.0 / 25));
    CHECK(plane.share_y == Catch::Approx(9.0 / 25));
    const PlaneDirections line = principal_directions({numbers}, 1);
    CHECK(line.x == std::vector<double>{1});
    CHECK(line.y == std::vector<double>{0});
    CHECK(line.share_x == 1);
}
