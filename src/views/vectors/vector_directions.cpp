// Finds the principal directions of a set of vectors, and how much of their lengths two directions show.
#include "views/vectors/vector_directions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"

namespace attn {
namespace {

using Direction = std::vector<double>;

constexpr int kMostSteps = 2000;
constexpr double kStill = 1e-13;  // a step that moves the direction by less is the last

double dot(const Direction& a, const Direction& b) {
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
    return sum;
}

double dot(std::span<const float> vector, const Direction& direction) {
    double sum = 0;
    for (std::size_t c = 0; c < vector.size(); ++c) sum += static_cast<double>(vector[c]) * direction[c];
    return sum;
}

// Calls look(vector) for each vector of all sets. Vectors with an infinity or NaN have no direction and are left out.
template <class Look>
void for_each_vector(const VectorSets& sets, int width, const Look& look) {
    for (const std::span<const float> set : sets) {
        for (std::size_t at = 0; at + static_cast<std::size_t>(width) <= set.size(); at += width) {
            const std::span<const float> vector = set.subspan(at, static_cast<std::size_t>(width));
            if (std::all_of(vector.begin(), vector.end(), [](float x) { return std::isfinite(x); })) look(vector);
        }
    }
}

// The share of all squared lengths that lies along the direction; 0 if all vectors are zero.
double share_along(const VectorSets& sets, int width, const Direction& direction) {
    double along = 0;
    double all = 0;
    for_each_vector(sets, width, [&](std::span<const float> vector) {
        const double part = dot(vector, direction);
        along += part * part;
        for (const float x : vector) all += static_cast<double>(x) * static_cast<double>(x);
    });
    return all > 0 ? along / all : 0;
}

// Removes the part along `other`, then scales to length 1. False if at most `least` is left.
bool make_unit(Direction& direction, const Direction& other, double least = 0) {
    if (!other.empty()) {
        for (int twice = 0; twice < 2; ++twice) {  // the second pass removes the first one's rounding
            const double along = dot(direction, other);
            for (std::size_t c = 0; c < direction.size(); ++c) direction[c] -= along * other[c];
        }
    }
    const double size = std::sqrt(dot(direction, direction));
    if (!(size > least)) return false;
    for (double& x : direction) x /= size;
    return true;
}

// Entries without a pattern, none of them 0, so no vector that a person would type is at right angles to it.
Direction start(int width) {
    Direction direction(static_cast<std::size_t>(width));
    for (int c = 0; c < width; ++c) direction[static_cast<std::size_t>(c)] = (c * 37 % 101 + 1 + c / 101) / 101.0;
    return direction;
}

// The channel nearest to a right angle with `other`, for when the vectors leave no second direction.
Direction any_direction(int width, const Direction& other) {
    const auto smallest =
        std::min_element(other.begin(), other.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    Direction direction(static_cast<std::size_t>(width), 0);
    direction[other.empty() ? 0 : static_cast<std::size_t>(smallest - other.begin())] = 1;
    make_unit(direction, other);
    return direction;
}

// The first of the nearly largest entries decides the sign, because rounding decides which of equal entries is the
// largest.
void fix_sign(Direction& direction) {
    double largest = 0;
    for (const double x : direction) {
        if (std::abs(x) > std::abs(largest) + 1e-9) largest = x;
    }
    if (largest >= 0) return;
    for (double& x : direction) x = -x;
}

// The direction at right angles to `other` (if not empty) that keeps most.
Direction principal(const VectorSets& sets, int width, const Direction& other) {
    double num_numbers = 0;
    for (const std::span<const float> set : sets) num_numbers += static_cast<double>(set.size());
    const int num_steps = std::clamp(static_cast<int>(kMostProducts / (4 * std::max(num_numbers, 1.0))), 8, kMostSteps);
    Direction direction = start(width);
    if (!make_unit(direction, other)) return any_direction(width, other);
    for (int step = 0; step < num_steps; ++step) {
        Direction next(static_cast<std::size_t>(width), 0);
        for_each_vector(sets, width, [&](std::span<const float> vector) {
            const double along = dot(vector, direction);
            for (std::size_t c = 0; c < next.size(); ++c) next[c] += along * static_cast<double>(vector[c]);
        });
        const double rounding = 1e-13 * std::sqrt(dot(next, next));
        if (!make_unit(next, other, rounding)) return any_direction(width, other);
        double moved = 0;
        for (std::size_t c = 0; c < next.size(); ++c) moved = std::max(moved, std::abs(next[c] - direction[c]));
        direction = std::move(next);
        if (moved < kStill) break;
    }
    fix_sign(direction);
    return direction;
}

PlaneDirections with_shares(const VectorSets& sets, int width, Direction x, Direction y) {
    PlaneDirections plane;
    plane.share_x = share_along(sets, width, x);
    plane.share_y = share_along(sets, width, y);
    plane.x = std::move(x);
    plane.y = std::move(y);
    return plane;
}

}  // namespace

PlaneDirections channel_directions(const VectorSets& sets, int width, int x, int y) {
    const auto size = static_cast<std::size_t>(width);
    if (width == 1) {
        PlaneDirections only = with_shares(sets, width, Direction(1, 1), Direction(1, 0));
        only.channel_x = 0;
        only.channel_y = 1;  // there is none: the arrows lie one above the other
        return only;
    }
    ATTN_CHECK(x >= 0 && x < width && y >= 0 && y < width && x != y, "channels ", x, " and ", y, " of ", width);
    Direction along_x(size, 0);
    Direction along_y(size, 0);
    along_x[static_cast<std::size_t>(x)] = 1;
    along_y[static_cast<std::size_t>(y)] = 1;
    PlaneDirections channels = with_shares(sets, width, std::move(along_x), std::move(along_y));
    channels.channel_x = x;
    channels.channel_y = y;
    return channels;
}

PlaneDirections principal_directions(const VectorSets& sets, int width) {
    if (width == 1) return channel_directions(sets, width, 0, 0);
    Direction x = principal(sets, width, {});
    Direction y = principal(sets, width, x);
    return with_shares(sets, width, std::move(x), std::move(y));
}

}  // namespace attn
