// Fits points into a room, and chooses round distances for grid lines.
#include "scene/kit/plane_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ground/check.h"
#include "playground/text/format.h"

namespace attn {
namespace {

double round_distance(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double round : {1, 2, 5}) {
        if (round * power >= least) return round * power;
    }
    return 10 * power;
}

}  // namespace

PlaneScale fit_plane(const std::vector<PlanePoint>& points, double width, double height, bool is_line) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    PlanePoint low;
    PlanePoint high;
    for (const PlanePoint& point : points) {
        if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
        low = {std::min(low.x, point.x), std::min(low.y, point.y)};
        high = {std::max(high.x, point.x), std::max(high.y, point.y)};
    }
    const double by_x = high.x > low.x ? width / (high.x - low.x) : kInfinity;
    const double by_y = high.y > low.y && !is_line ? height / (high.y - low.y) : kInfinity;
    const double unit = std::min(by_x, by_y);
    return {.center = {(low.x + high.x) / 2, (low.y + high.y) / 2},
            .unit = std::isfinite(unit) ? unit : std::min(width, height) / 2};  // all are zero: from −1 to 1
}

std::vector<GridLine> grid_lines(double low, double high, double least) {
    ATTN_CHECK(least > 0, "grid lines ", least, " apart");
    const double distance = round_distance(least);
    // Clamped as a double: lines may be infinitely far apart, and then there is none.
    const int digits = static_cast<int>(std::clamp(std::ceil(-std::log10(distance) - 1e-9), 0.0, 8.0));
    std::vector<GridLine> lines;
    for (double k = std::ceil(low / distance); k * distance <= high; ++k) {
        lines.push_back(
            {.place = k * distance, .is_axis = k == 0, .number = k == 0 ? "0" : shown_number(k * distance, digits)});
    }
    return lines;
}

}  // namespace attn
