// The curve of a run, and the words about its bound.
#include "views/learn/loss_curve.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "views/learn/learning_links.h"

namespace attn::test {
namespace {

LossCurve curve_of(const std::vector<double>& losses, double bound = 0) {
    return {.losses = losses, .step = static_cast<int>(losses.size()) - 1, .bound = bound};
}

}  // namespace

TEST_CASE("the curve has a loss for each step, and the shown one", "[loss-curve]") {
    const Learned learned("goal=pattern&target=1:10>1&optimizer=adam&rate=0.05&steps=40");
    const LossCurve curve = loss_curve(learned.state.inputs, learned.shown());
    CHECK(curve.losses.size() == 41);
    CHECK(curve.step == 40);
    CHECK(curve.shown() < curve.losses.front());
    CHECK(curve.bound == 0);
    CHECK(loss_in_words(curve) == concat("Step 40: the loss is ", shown_number(curve.shown()), "."));
    const Learned before("goal=pattern&target=1:10>1");
    CHECK(
        loss_in_words(loss_curve(before.state.inputs, before.shown())).starts_with("Before the first step: the loss"));
}

TEST_CASE("the bound is named: one head, two readings, ln 2", "[loss-curve]") {
    const Learned learned("goal=pattern&target=1:10>1,10>7");
    CHECK(bound_in_numbers(learned.shown()) == "0.6931 = ln 2");
    CHECK(bound_in_words(learned.shown()) ==
          "The loss cannot go below 0.6931 = ln 2: “brush” is to look at artist and woman at once.");
    const LossCurve curve = loss_curve(learned.state.inputs, learned.shown());
    CHECK(std::abs(curve.bound - std::numbers::ln2) < 1e-7);
    CHECK(loss_in_words(curve).ends_with(concat(", ", shown_number(curve.shown() - curve.bound), " above the bound.")));
}

TEST_CASE("the bound is that of whatever targets there are", "[loss-curve]") {
    const auto [link, numbers, words] = GENERATE(table<std::string, std::string, std::string>(
        {{"target=1:10>1,10>4,10>7", "1.0986 = ln 3",
          "The loss cannot go below 1.0986 = ln 3: “brush” is to look at artist, portrait and woman at once."},
         // The second "a" is named with its place.
         {"target=1:10>6,10>9", "0.6931 = ln 2",
          "The loss cannot go below 0.6931 = ln 2: “brush” is to look at a (6) and a (9) at once."},
         {"target=1:10>1,10>7=3", "0.5623",
          "The loss cannot go below 0.5623: “brush” is to look at artist and woman at once."},
         {"target=1:10>1&target=2:10>7", "0",
          "Each row with a target asks for one word: the loss can come as near to 0 as you like."},
         {"target=1:10>1,10>7&target=2:9>1", "0.3466 = ln 2 / 2",
          "The loss cannot go below 0.3466 = ln 2 / 2: of 2 rows with targets 1 asks a head to look at several words "
          "at once."},
         {"target=1:10>1,10>7&target=2:10>1,10>4,10>7", "0.8959 = ln 6 / 2",
          "The loss cannot go below 0.8959 = ln 6 / 2: of 2 rows with targets 2 ask a head to look at several words at "
          "once."}}));
    CAPTURE(link);
    const Learned learned("goal=pattern&" + link);
    CHECK(bound_in_numbers(learned.shown()) == numbers);
    CHECK(bound_in_words(learned.shown()) == words);
}

TEST_CASE("a loss that four decimals cannot tell from its bound is there", "[loss-curve]") {
    CHECK(loss_in_words(curve_of({1, 0.69318}, 0.69315)) == "Step 1: the loss is 0.6932, the bound.");
    CHECK(loss_in_words(curve_of({1, 0.69314}, 0.69315)) == "Step 1: the loss is 0.6931, the bound.");
}

TEST_CASE("the next word has no bound that is named", "[loss-curve]") {
    const Learned learned("goal=next&d_out=8");
    CHECK(bound_in_words(learned.shown()).empty());
}

TEST_CASE("of a loss that stands still above the bound only what was measured is said", "[loss-curve]") {
    std::vector<double> losses;
    for (int step = 0; step <= 100; ++step) losses.push_back(0.05 + std::exp(-0.3 * step));
    CHECK(standstill_in_words(curve_of(losses)) == concat("In the last 20 steps the loss moved by ",
                                                          shown_number(losses[80] - losses[100]),
                                                          "; it is still 0.0500."));
    CHECK(standstill_in_words(curve_of(losses, 0.02)).ends_with("; it is still 0.0300 above the bound."));
    CHECK(standstill_in_words(curve_of(losses, 0.05)).empty());  // it is at the bound
    losses.resize(19);
    CHECK(standstill_in_words(curve_of(losses)).empty());  // too few to say
    for (int step = 0; step <= 100; ++step) losses.push_back(2 - 0.01 * step);
    CHECK(standstill_in_words(curve_of(losses)).empty());  // it still falls
    losses = std::vector<double>(40, std::numeric_limits<double>::infinity());
    CHECK(standstill_in_words(curve_of(losses)).empty());
}

TEST_CASE("of many steps the line goes through the lowest and the highest of each stretch", "[loss-curve]") {
    const double none = std::numeric_limits<double>::infinity();
    CHECK(steps_to_draw(std::vector<double>{3, none, 1}, 10) == std::vector{0, 2});
    CHECK(steps_to_draw(std::vector<double>{none, none}, 10).empty());
    std::vector<double> losses(1000, 1);
    losses[501] = 9;
    losses[507] = 0.5;
    const std::vector<int> steps = steps_to_draw(losses, 100);
    CHECK(std::ranges::is_sorted(steps));
    CHECK(std::ranges::count(steps, 501) == 1);
    CHECK(std::ranges::count(steps, 507) == 1);
    CHECK(steps.back() == 999);
    CHECK(steps.size() <= 202);
}

TEST_CASE("a logarithmic axis where the small losses could not be read, and no line to draw at 0", "[loss-curve]") {
    CHECK(needs_log_axis(curve_of({2, 1, 0.01})));
    CHECK_FALSE(needs_log_axis(curve_of({2, 1, 0.5})));
    CHECK_FALSE(needs_log_axis(curve_of({70, 1, 0.7}, 0.6931)));
    CHECK(needs_log_axis(curve_of({std::numeric_limits<double>::infinity(), 2, 0.01, 0})));
    CHECK_FALSE(needs_log_axis(curve_of({0, 0})));
}

}  // namespace attn::test
