// A plot in the program's own colours: two axes with their ticks, and lines, marks and bars on them. Knows no data.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/widgets.h"

namespace attn {

struct PlotAxis {
    double low = 0;
    double high = 1;
    bool is_log = false;        // then both ends are above 0
    std::vector<double> ticks;  // where a number stands
    std::string_view title;     // what is measured; the y axis has it above its top end
};

struct PlotPoint {
    double x, y;
};

enum class PlotMark { disc, square, diamond };

// Takes its room at the cursor and draws the axes; what is drawn afterwards is clipped to them.
class Plot {
public:
    Plot(UiFrame& frame, ImVec2 size, PlotAxis x, PlotAxis y);

    // Where a point of the data is on the screen.
    ImVec2 at(double x, double y) const;
    // Points with a coordinate that the axis cannot show (0 on a logarithmic one) are left out.
    void line(std::span<const PlotPoint> points, ImU32 color, float thickness) const;
    void dashes(PlotPoint from, PlotPoint to, ImU32 color) const;
    void mark(PlotPoint point, PlotMark shape, ImU32 color, float radius) const;
    // From the x axis up to `height`.
    void bar(double from, double to, double height, ImU32 color) const;
    // A line from the bottom to the top, to show what is chosen.
    void cursor(double x, ImU32 color) const;
    // What the pointer is at, in the data's coordinates; nothing outside.
    std::optional<PlotPoint> pointed() const;
    ImVec2 min() const { return min_; }
    ImVec2 max() const { return max_; }

private:
    bool can_show(PlotPoint point) const;

    PlotAxis x_, y_;
    ImVec2 min_, max_;  // between the axes
};

// The shape of a mark by itself, for a legend.
void draw_plot_mark(ImVec2 center, PlotMark shape, ImU32 color, float radius);

// A tick's number: "0.001", "1", "−30".
std::string tick_text(double value);

}  // namespace attn
