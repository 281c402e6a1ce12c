// What one row of weights cannot go below when it is asked for two readings at once: against a search of all weights,
// and against known values.
#include "core/attention/goal.h"

#include <algorithm>
#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

namespace attn::test {
namespace {

using Shares = std::vector<double>;

double entropy(const Shares& shares) {
    double sum = 0;
    for (const double share : shares) sum -= share > 0 ? share * std::log(share) : 0;
    return sum;
}

Shares middle_of(const Shares& p, const Shares& q) {
    Shares middle;
    for (std::size_t j = 0; j < p.size(); ++j) middle.push_back((p[j] + q[j]) / 2);
    return middle;
}

// The bound of one head that is asked for these shares in one row.
double bound_of(const Shares& shares) {
    Goal goal{.kind = GoalKind::pattern, .rows = {{.shares = zeros<Vector>(shares.size())}}};
    for (std::size_t j = 0; j < shares.size(); ++j) goal.rows[0].shares(j) = static_cast<float>(shares[j]);
    return lowest_loss(goal);
}

double cross_entropy(const Shares& shares, const Shares& weights) {
    double sum = 0;
    for (std::size_t j = 0; j < shares.size(); ++j) sum -= shares[j] > 0 ? shares[j] * std::log(weights[j]) : 0;
    return sum;
}

// The least cross-entropy over all weights (a, b, 1 - a - b) that are multiples of 1 / kSteps, all above 0.
constexpr int kSteps = 300;

double least_on_grid(const Shares& shares) {
    double least = std::numeric_limits<double>::infinity();
    for (int a = 1; a < kSteps - 1; ++a) {
        for (int b = 1; a + b < kSteps; ++b) {
            const double first = static_cast<double>(a) / kSteps;
            const double second = static_cast<double>(b) / kSteps;
            least = std::min(least, cross_entropy(shares, {first, second, 1 - first - second}));
        }
    }
    return least;
}

}  // namespace

TEST_CASE("no weights bring the loss below the bound, and some come as near as you look", "[goal][property]") {
    std::uint32_t random = 7;
    for (int n = 0; n < 40; ++n) {
        Shares shares(3);
        double sum = 0;
        for (double& share : shares) {
            random = random * 1664525U + 1013904223U;
            share = static_cast<double>((random >> 8U) % 1000) + 1;
            sum += share;
        }
        for (double& share : shares) share /= sum;
        CAPTURE(shares);
        const double least = least_on_grid(shares);
        const double bound = bound_of(shares);
        // The shares are floats in the goal: their entropy is off by some 1e-7.
        CHECK(least >= bound - 1e-6);
        // The nearest weights of the grid are off by d <= 1 / 300 each: the sum of d * d / share, and what is cut off
        // at the edge.
        const double smallest = *std::ranges::min_element(shares);
        CHECK(least <= bound + 3.0 / (kSteps * kSteps * smallest) + 1.0 / kSteps);
    }
}

TEST_CASE("two readings of one row: the bound is their divergence and what each is undecided about", "[goal][golden]") {
    struct Readings {
        Shares p, q;
        double divergence;  // Jensen-Shannon, six digits
    };
    const std::array<Readings, 5> readings = {{{{1, 0}, {0, 1}, .693147},
                                               {{.9, .1}, {.1, .9}, .368064},
                                               {{.8, .1, .1}, {.1, .8, .1}, .309884},
                                               {{.5, .5, 0}, {0, .5, .5}, .346574},
                                               {{.7, .3}, {.3, .7}, .082283}}};
    for (const auto& [p, q, divergence] : readings) {
        CAPTURE(p, q);
        const double undecided = (entropy(p) + entropy(q)) / 2;
        // Half of the last printed digit, and the floats of the shares.
        CHECK(std::abs(bound_of(middle_of(p, q)) - (divergence + undecided)) < 6e-7);
        // Two heads, one reading each, are only held up by what each reading is undecided about.
        CHECK(std::abs((bound_of(p) + bound_of(q)) / 2 - undecided) < 1e-6);
    }
    CHECK(std::abs(bound_of({.5, .5}) - std::numbers::ln2) < 1e-15);
}

TEST_CASE("what the readings lose with other weights is how far these are from the middle", "[goal][property]") {
    const Shares p = {.8, .1, .1};
    const Shares q = {.1, .8, .1};
    const Shares middle = middle_of(p, q);
    for (const Shares& weights : {Shares{.45, .45, .1}, Shares{.6, .3, .1}, Shares{.2, .2, .6}}) {
        const double loss = (cross_entropy(p, weights) + cross_entropy(q, weights)) / 2;
        const double excess = cross_entropy(middle, weights) - entropy(middle);  // KL(middle | weights)
        CHECK(std::abs(loss - (bound_of(middle) + excess)) < 1e-7);
        CHECK(excess >= -1e-15);
    }
}

}  // namespace attn::test
