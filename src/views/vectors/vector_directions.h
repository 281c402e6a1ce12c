// The two directions along which vectors of many channels are drawn: two of their channels, or the two principal
// directions. Plain doubles; knows no heads and no screen.
#pragma once

#include <span>
#include <vector>

namespace attn {

// One vector a row, `width` numbers each; several matrices count as one.
using VectorSets = std::vector<std::span<const float>>;

struct PlaneDirections {
    std::vector<double> x, y;  // unit vectors at right angles, one number a channel; y all 0 where there is one channel
    double share_x = 0;        // share of all squared lengths along each: 0 to 1
    double share_y = 0;
    int channel_x = -1;  // the channels that they are; -1: principal directions
    int channel_y = -1;

    int width() const { return static_cast<int>(x.size()); }
    bool is_principal() const { return channel_x < 0; }
};

// Channels `x` and `y` of `width`, which differ; if there is only one channel, that one.
PlaneDirections channel_directions(const VectorSets& sets, int width, int x, int y);

// The directions that keep most of the squared lengths: the first two right singular vectors of all vectors together.
// Uncentred, since arrows start at the origin and dot products are taken from it. By power iteration from a fixed
// start, so the same numbers give the same picture; signs make the largest entry of each positive. kMostProducts bounds
// the work: for very many wide vectors with nearly equal shares the directions are approximate, but their shares are
// still exact.
PlaneDirections principal_directions(const VectorSets& sets, int width);
inline constexpr double kMostProducts = 4e8;  // multiplications and additions, about half a second

}  // namespace attn
