// Which steps the strip shows, and that its maps are those of these steps.
#include "views/learn/film_strip.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <set>

#include "core/ground/check.h"
#include "views/learn/learning_links.h"

namespace attn::test {
namespace {

constexpr const char* kReadings = "goal=pattern&target=1:10>1&target=2:10>7&optimizer=adam&rate=0.05";
constexpr int kAnyStep = 1'000'000;

LossCurve falling(std::vector<double>& losses, int last, double speed) {
    for (int step = 0; step <= last; ++step) losses.push_back(2 * std::exp(-speed * step));
    return {.losses = losses, .step = last};
}

void train_all(EarlierWeights& earlier) {
    while (!earlier.advance(1'000'000)) continue;
}

}  // namespace

TEST_CASE("the strip begins at step 0, ends at the shown step, and rises", "[film-strip][property]") {
    for (const int last : {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 20, 64, 99, 150, 1000, 12345}) {
        for (const double speed : {0.0, 0.001, 0.05, 3.0}) {
            CAPTURE(last, speed);
            std::vector<double> losses;
            const std::vector<int> steps = strip_steps(falling(losses, last, speed), kAnyStep);
            CHECK(steps.front() == 0);
            CHECK(steps.back() == last);
            CHECK(static_cast<int>(steps.size()) == std::min(last + 1, kStripFrames));
            CHECK(std::set<int>(steps.begin(), steps.end()).size() == steps.size());
            CHECK(std::ranges::is_sorted(steps));
        }
    }
}

TEST_CASE("where the loss falls the strip's steps stand closer", "[film-strip]") {
    std::vector<double> early, late;
    const std::vector<int> at_once = strip_steps(falling(early, 1000, 0.5), kAnyStep);
    const std::vector<int> slowly = strip_steps(falling(late, 1000, 0.002), kAnyStep);
    CHECK(at_once[2] < slowly[2]);
    CHECK(at_once[2] <= 5);
    CHECK(slowly[3] >= 100);
}

TEST_CASE("a loss beyond all numbers, and steps that may not be taken anew, leave a strip", "[film-strip][bad-input]") {
    std::vector<double> losses;
    LossCurve curve = falling(losses, 100, 0.1);
    losses[0] = std::numeric_limits<double>::infinity();
    CHECK(strip_steps(curve, kAnyStep).size() == kStripFrames);
    const std::vector<int> steps = strip_steps(curve, 3);
    CHECK(steps == std::vector<int>{0, 1, 2, 3, 100});
    CHECK(strip_steps(curve, 0) == std::vector<int>{0, 100});
    curve.step = 50;  // others were taken, and the visitor went back
    CHECK(strip_steps(curve, kAnyStep).back() == 50);
}

TEST_CASE("each map of the strip is that of a state with so many steps", "[film-strip]") {
    const Learned learned(concat(kReadings, "&steps=120"));
    EarlierWeights earlier;
    want_strip(earlier, learned.state, learned.shown());
    train_all(earlier);
    const FilmStrip strip = film_strip(earlier, learned.state, learned.shown(), std::nullopt);
    REQUIRE(strip.frames.size() == kStripFrames);
    CHECK(strip.heads == std::vector<int>{0, 1});
    CHECK(strip.painted == std::vector<std::vector<Place>>{{{10, 1}}, {{10, 7}}});
    CHECK(strip.remarks.empty());
    for (const StripFrame& frame : strip.frames) {
        CAPTURE(frame.step);
        const Learned alone(concat(kReadings, "&steps=", frame.step));
        CHECK(frame.loss == alone.shown().run->losses().back());
        REQUIRE(frame.weights.size() == 2);
        for (int h = 0; h < 2; ++h)
            CHECK(frame.weights[static_cast<std::size_t>(h)] == shown_matrix(alone.shown(), TensorId::weights, h));
    }
}

TEST_CASE("earlier weights stay while only the steps change, and go with the recipe", "[film-strip]") {
    const Learned learned(concat(kReadings, "&steps=60"));
    EarlierWeights earlier;
    earlier.want(learned.state.inputs, 0, {0, 10});
    int num_slices = 0;
    while (!earlier.advance(100'000)) ++num_slices;
    CHECK(num_slices >= 2);
    CHECK(earlier.count() == 2);
    CHECK(earlier.at(5) == nullptr);

    Inputs more = learned.state.inputs;
    more.steps = 61;
    earlier.want(more, 0, {0, 5, 10});
    REQUIRE(earlier.at(10) != nullptr);
    train_all(earlier);
    CHECK(earlier.count() == 3);
    CHECK(*earlier.at(5) != *earlier.at(10));

    more.rate = 0.01;
    earlier.want(more, 0, {0, 10});
    CHECK(earlier.at(0) == nullptr);
}

TEST_CASE("a strip that is not trained yet leaves room for its maps", "[film-strip]") {
    const Learned learned(concat(kReadings, "&steps=60"));
    const FilmStrip strip = film_strip({}, learned.state, learned.shown(), 1);
    CHECK(strip.heads == std::vector<int>{1});
    REQUIRE(strip.frames.size() == kStripFrames);
    for (std::size_t n = 0; n + 1 < strip.frames.size(); ++n) CHECK(strip.frames[n].weights.empty());
    CHECK(strip.frames.back().weights.size() == 1);
}

TEST_CASE("what the strip leaves out is said", "[film-strip]") {
    const Learned many("heads=8&d_out=8&goal=pattern&target=1:10>1&steps=3");
    CHECK(film_strip({}, many.state, many.shown(), std::nullopt).remarks ==
          std::vector<std::string>{"The first 4 of 8 heads are drawn."});
    PlaygroundState long_run = many.state;
    long_run.inputs.steps = 90'000;
    const int latest = latest_strip_step(long_run.inputs);
    CHECK(latest > 10'000);
    CHECK(latest < 90'000);
}

}  // namespace attn::test
