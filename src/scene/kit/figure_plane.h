// A plane with arrows in a figure: where a point of it stands, its grid, arrows, and labels that do not overlap. With
// one channel the plane is a number line of several lanes. Knows no queries and no keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/kit/figure_parts.h"
#include "scene/kit/plane_scale.h"

namespace attn {

class FigurePlane {
public:
    // `width` by `height` with the numbers of the axes; shows the origin and all finite `points`. `num_lanes` above 0:
    // a number line.
    FigurePlane(double width, double height, const std::vector<PlanePoint>& points, int num_lanes);

    bool is_line() const { return num_lanes_ > 0; }
    FigurePoint at(const PlanePoint& point, int lane = 0) const;
    FigurePoint min() const { return min_; }
    FigurePoint max() const { return max_; }

    void draw_grid(FigureBlock& block, const SceneStyle& style, std::string_view x_name, std::string_view y_name,
                   bool has_numbers) const;

private:
    FigurePoint min_, max_;
    int num_lanes_ = 0;
    PlaneScale scale_;
};

struct ArrowLook {
    Rgb color;
    double thickness = 1.4;
    bool is_dashed = false;  // with an open head
    Rgb paper = {};          // inside an open head
};
// A dot where the arrow is too short to be seen.
void draw_arrow(FigureBlock& block, FigurePoint from, FigurePoint to, const ArrowLook& look, std::string tip);

// Each lies on a pale ground, so that arrows do not cross it.
class FigureLabels {
public:
    // `style` must outlive them.
    FigureLabels(const SceneStyle& style, FigurePoint min, FigurePoint max) : style_(style), min_(min), max_(max) {}

    // Beside `tip`, away from `from`; elsewhere around it if that is taken. False where there is no room.
    bool put(FigureBlock& block, std::string_view text, const TextLook& look, FigurePoint from, FigurePoint tip);

private:
    const SceneStyle& style_;
    FigurePoint min_, max_;
    std::vector<FigureBox> taken_;
};

}  // namespace attn
