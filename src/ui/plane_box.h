// A plane in a box: equal scales on both axes, grid lines with their numbers, arrows, and labels that keep out of each
// other's way. Where the vectors have one channel it is a number line with a lane for each arrow. Knows no tokens.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "playground/plane_scale.h"
#include "ui/text.h"

namespace attn {

class PlaneBox {
public:
    // Shows the origin and all `points` between `min` and `max` (screen). `num_lanes` > 0: a number line.
    PlaneBox(ImVec2 min, ImVec2 max, const std::vector<PlanePoint>& points, int num_lanes);

    // Where a point is on the screen; `lane` counts in a number line only.
    ImVec2 at(const PlanePoint& point, int lane = 0) const;
    // Grid lines, the axes through the origin, their numbers (if wanted) below and on the left, and their names.
    void draw_grid(const UiFrame& frame, std::string_view x_name, std::string_view y_name, bool has_numbers) const;
    bool is_line() const { return num_lanes_ > 0; }
    ImVec2 min() const { return min_; }
    ImVec2 max() const { return max_; }

private:
    ImVec2 min_, max_;  // of the drawing, without the numbers' margins
    int num_lanes_;
    PlaneScale scale_;
};

enum class ArrowKind { solid, dashed };  // a filled tip; a hollow one
// A vector too short for an arrow is a dot.
void draw_arrow(ImVec2 from, ImVec2 to, ImU32 color, float thickness, ArrowKind kind, ImU32 paper);

// The distance of a point from the line between two others.
float distance_to(ImVec2 from, ImVec2 to, ImVec2 point);

class Labels {
public:
    // `ground`: drawn under each label, so that arrows do not cross it.
    Labels(ImVec2 min, ImVec2 max, ImU32 ground) : min_(min), max_(max), ground_(ground) {}

    // Beside `tip`, away from `from`; elsewhere around it if that is taken. False where there is no room.
    bool put(const TextStyle& style, std::string_view text, ImVec2 from, ImVec2 tip);

private:
    struct Box {
        ImVec2 min, max;
    };
    ImVec2 min_, max_;
    ImU32 ground_;
    std::vector<Box> taken_;
};

}  // namespace attn
