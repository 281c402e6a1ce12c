// See the header.
#include "ui/plane_box.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kLeft = 40;     // room for the numbers of the y axis
constexpr float kBottom = 18;   // and of the x axis
constexpr float kPadding = 26;  // between the outermost point and the edge: room for its label
constexpr float kGridDistance = 44;

ImDrawList& list() {
    return *ImGui::GetWindowDrawList();
}

// For points, in so much of a box.
double room(float length) {
    return std::max(length - 2 * kPadding, 10.0F);
}

}  // namespace

PlaneBox::PlaneBox(ImVec2 min, ImVec2 max, const std::vector<PlanePoint>& points, int num_lanes)
    : min_(num_lanes > 0 ? min : ImVec2(min.x + kLeft, min.y)),
      max_(max.x, max.y - kBottom),
      num_lanes_(num_lanes),
      scale_(fit_plane(points, room(max_.x - min_.x), room(max_.y - min_.y), num_lanes > 0)) {}

ImVec2 PlaneBox::at(const PlanePoint& point, int lane) const {
    // Far outside there is nothing to see, but ImGui wants numbers.
    const auto on_screen = [](double place) {
        return static_cast<float>(std::isfinite(place) ? std::clamp(place, -1e5, 1e5) : -1e5);
    };
    const double x = (min_.x + max_.x) / 2.0 + (point.x - scale_.center.x) * scale_.unit;
    if (is_line()) {
        const float height = (max_.y - min_.y) / static_cast<float>(num_lanes_);
        return {on_screen(x), min_.y + (static_cast<float>(lane) + 0.5F) * height};
    }
    return {on_screen(x), on_screen((min_.y + max_.y) / 2.0 - (point.y - scale_.center.y) * scale_.unit)};
}

void PlaneBox::draw_grid(const UiFrame& frame, std::string_view x_name, std::string_view y_name,
                         bool has_numbers) const {
    const Palette& palette = frame.palette;
    const TextStyle style = {frame.fonts.sans, kTinySize, palette.soft_ink};
    fill_box(min_, max_, palette.panel, 4);
    const PlanePoint center = scale_.center;
    const double half_x = (max_.x - min_.x) / 2 / scale_.unit;
    const double half_y = (max_.y - min_.y) / 2 / scale_.unit;
    const double least = kGridDistance / scale_.unit;
    const ImU32 line = mix(palette.panel, palette.line, 0.75F);
    const ImU32 axis = mix(palette.line, palette.soft_ink, 0.5F);
    float right_end = min_.x;
    for (const GridLine& grid : grid_lines(center.x - half_x, center.x + half_x, least)) {
        const float x = at({grid.place, center.y}).x;
        list().AddLine({x, min_.y}, {x, max_.y}, grid.is_axis ? axis : line);
        const float width = text_size(style, grid.number).x;
        const float name_begin = max_.x - text_size(style, x_name).x - 8;
        if (!has_numbers || x - width / 2 < right_end || x + width / 2 > name_begin) continue;
        draw_text({x - width / 2, max_.y + 3}, style, grid.number);
        right_end = x + width / 2 + 6;
    }
    if (!is_line()) {
        for (const GridLine& grid : grid_lines(center.y - half_y, center.y + half_y, least)) {
            const float y = at({center.x, grid.place}).y;
            list().AddLine({min_.x, y}, {max_.x, y}, grid.is_axis ? axis : line);
            if (!has_numbers || y < min_.y + style.size * 1.5F) continue;
            draw_text({min_.x - 5 - text_size(style, grid.number).x, y - style.size / 2}, style, grid.number);
        }
        draw_text({min_.x + 5, min_.y + 3}, style, concat("↑ ", y_name));
    }
    frame_box(min_, max_, palette.line, 1, 4);
    const std::string name = concat(x_name, " →");
    draw_text({max_.x - text_size(style, name).x, max_.y + 3}, style, name);
}

void draw_arrow(ImVec2 from, ImVec2 to, ImU32 color, float thickness, ArrowKind kind, ImU32 paper) {
    const ImVec2 way = {to.x - from.x, to.y - from.y};
    const float size = std::hypot(way.x, way.y);
    if (size < 3) {
        list().AddCircleFilled(to, 2 + thickness / 2, color);
        return;
    }
    const ImVec2 along = {way.x / size, way.y / size};
    const float head = std::min(5 + 2.2F * thickness, size * 0.7F);
    const ImVec2 base = {to.x - along.x * head, to.y - along.y * head};
    const float half = head * 0.42F;
    const ImVec2 left = {base.x - along.y * half, base.y + along.x * half};
    const ImVec2 right = {base.x + along.y * half, base.y - along.x * half};
    if (kind == ArrowKind::solid) {
        list().AddLine(from, base, color, thickness);
        list().AddTriangleFilled(to, left, right, color);
        return;
    }
    constexpr float kDash = 6;
    constexpr float kGap = 4;
    const float end = size - head;
    for (float at = 0; at < end; at += kDash + kGap) {
        const float stop = std::min(at + kDash, end);
        list().AddLine({from.x + along.x * at, from.y + along.y * at},
                       {from.x + along.x * stop, from.y + along.y * stop}, color, thickness);
    }
    list().AddTriangleFilled(to, left, right, paper);
    list().AddTriangle(to, left, right, color, std::max(1.0F, thickness * 0.8F));
}

float distance_to(ImVec2 from, ImVec2 to, ImVec2 point) {
    const ImVec2 way = {to.x - from.x, to.y - from.y};
    const float squared = way.x * way.x + way.y * way.y;
    float along = squared > 0 ? ((point.x - from.x) * way.x + (point.y - from.y) * way.y) / squared : 0;
    along = std::clamp(along, 0.0F, 1.0F);
    return std::hypot(point.x - from.x - along * way.x, point.y - from.y - along * way.y);
}

bool Labels::put(const TextStyle& style, std::string_view text, ImVec2 from, ImVec2 tip) {
    const ImVec2 size = {text_size(style, text).x, style.size};
    const float outward = std::atan2(tip.y - from.y, tip.x - from.x);
    constexpr float kTurn = 0.7853982F;  // an eighth of a circle
    for (const float turn : {0.0F, 1.0F, -1.0F, 2.0F, -2.0F, 3.0F, -3.0F}) {
        const float angle = outward + turn * kTurn;
        const ImVec2 center = {tip.x + std::cos(angle) * (size.x / 2 + 6), tip.y + std::sin(angle) * (size.y / 2 + 4)};
        const Box box = {{center.x - size.x / 2, center.y - size.y / 2},
                         {center.x + size.x / 2, center.y + size.y / 2}};
        if (box.min.x < min_.x || box.max.x > max_.x || box.min.y < min_.y || box.max.y > max_.y) continue;
        const bool is_taken = std::any_of(taken_.begin(), taken_.end(), [&](const Box& other) {
            return box.min.x < other.max.x + 2 && other.min.x < box.max.x + 2 && box.min.y < other.max.y - 2 &&
                   other.min.y < box.max.y - 2;
        });
        if (is_taken) continue;
        fill_box({box.min.x - 1, box.min.y + 1}, {box.max.x + 1, box.max.y - 1}, ground_, 3);
        draw_text(box.min, style, text);
        taken_.push_back(box);
        return true;
    }
    return false;
}

}  // namespace attn
