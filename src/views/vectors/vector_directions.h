// The two directions along which vectors of many channels are drawn: two of their channels, or the two principal
// directions. Plain doubles; knows no heads and no screen.
#pragma once

#include <span>
#include <vector>

namespace attn {

// One vector a row, `width` numbers each; several matrices are looked at as one.
using VectorSets = std::vector<std::span<const float>>;

struct PlaneDirections {
    std::vector<double> x, y;  // unit vectors at right angles, one number a channel; y all 0 where there is one channel
    double share_x = 0;        // of the sum of all squared lengths, what lies along each: 0 to 1
    double share_y = 0;
};

// Channels `x` and `y` of `width`, which are two different ones; where there is only one channel, that one.
PlaneDirections channel_directions(const VectorSets& sets, int width, int x, int y);

// The directions that keep most of the squared lengths: the first two right singular vectors of all vectors together.
// Uncentred, since arrows start at the origin and dot products are taken from it. By power iteration from a fixed
// start, so the same numbers give the same picture; signs are such that the largest entry of each is positive. The work
// is bounded (kMostProducts): of very many wide vectors whose shares are nearly equal the directions are rough ones,
// their shares exact all the same.
PlaneDirections principal_directions(const VectorSets& sets, int width);
inline constexpr double kMostProducts = 4e8;  // multiplications and additions, about half a second

}  // namespace attn
