// A plot in a figure: two axes with their ticks, and lines, marks and bars on them. Knows no data.
#pragma once

#include <string>
#include <vector>

#include "scene/kit/figure_parts.h"

namespace attn {

struct FigureAxis {
    double low = 0, high = 1;
    bool is_log = false;             // then both ends are above 0
    std::vector<double> ticks = {};  // where a number stands
    std::string title = {};          // what is measured; under the x axis
};

enum class FigureMark { disc, square, diamond };
void draw_mark(FigureBlock& block, FigurePoint center, FigureMark mark, Rgb color, double radius);

class FigurePlot {
public:
    // Draws the axes, `width` by `height` with their numbers.
    FigurePlot(const SceneStyle& style, double width, double height, FigureAxis x, FigureAxis y);

    // Points of the data. What lies beyond an end of the y axis is drawn on that end.
    void line(const std::vector<FigurePoint>& points, Rgb color, double thickness);
    void dashes(FigurePoint from, FigurePoint to);
    void mark(FigurePoint point, FigureMark mark, Rgb color, double radius, std::string tip);
    // From the x axis up to `height`, inside the axes.
    void bar(double from, double to, double height, Rgb color, std::string tip);
    // A line from the bottom to the top, to show what is chosen.
    void cursor(double x, Rgb color);

    // The room between the axes.
    FigureBox area() const { return {left_, top_, right_, bottom_}; }

    FigureBlock block() && { return std::move(block_); }

private:
    FigurePoint at(FigurePoint point) const;

    SceneStyle style_;
    FigureAxis x_, y_;
    double left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;  // between the axes
    FigureBlock block_;
};

}  // namespace attn
