// How a plane of vectors lies in a picture: what is in its middle, how large a unit is, and where grid lines stand. The
// screen and the figures draw the same one.
#pragma once

#include <string>
#include <vector>

namespace attn {

struct PlanePoint {
    double x = 0;
    double y = 0;
};

struct PlaneScale {
    PlanePoint center = {};
    double unit = 1;  // in what width and height are measured in
};

// The largest unit with which the origin and all finite points fit into the room. On a number line only the width
// counts.
PlaneScale fit_plane(const std::vector<PlanePoint>& points, double width, double height, bool is_line);

struct GridLine {
    double place = 0;
    bool is_axis = false;  // through the origin
    std::string number;    // with as many decimals as the distance needs
};

// The lines from `low` to `high`, `least` > 0 apart or more: 1, 2 or 5 times a power of ten.
std::vector<GridLine> grid_lines(double low, double high, double least);

}  // namespace attn
