// Draws grid and arrows of a plane, and looks for free places around a tip.
#include "scene/kit/figure_plane.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/ground/check.h"

namespace attn {
namespace {

constexpr double kLeft = 44;     // room for the numbers of the y axis
constexpr double kBottom = 20;   // and of the x axis
constexpr double kPadding = 28;  // between the outermost point and the edge: room for its label
constexpr double kGridDistance = 48;

// For points, in so much of a box.
double room(double length) {
    return std::max(length - 2 * kPadding, 10.0);
}

}  // namespace

FigurePlane::FigurePlane(double width, double height, const std::vector<PlanePoint>& points, int num_lanes)
    : min_{num_lanes > 0 ? 0.0 : kLeft, 0},
      max_{width, height - kBottom},
      num_lanes_(num_lanes),
      scale_(fit_plane(points, room(max_.x - min_.x), room(max_.y - min_.y), num_lanes > 0)) {}

FigurePoint FigurePlane::at(const PlanePoint& point, int lane) const {
    // Numbers that are not finite are drawn at the edge.
    const auto placed = [](double place, double low, double high) {
        return std::isfinite(place) ? std::clamp(place, low, high) : low;
    };
    const double x = (min_.x + max_.x) / 2 + (point.x - scale_.center.x) * scale_.unit;
    if (is_line()) {
        return {placed(x, min_.x, max_.x), min_.y + (lane + 0.5) * (max_.y - min_.y) / num_lanes_};
    }
    const double y = (min_.y + max_.y) / 2 - (point.y - scale_.center.y) * scale_.unit;
    return {placed(x, min_.x, max_.x), placed(y, min_.y, max_.y)};
}

void FigurePlane::draw_grid(FigureBlock& block, const SceneStyle& style, std::string_view x_name,
                            std::string_view y_name, bool has_numbers) const {
    const Rgb line = mixed(style.colors.panel, style.colors.line, 0.75F);
    const Rgb axis = mixed(style.colors.line, style.colors.soft_ink, 0.5F);
    TextLook look = {.ink = style.colors.soft_ink, .size = style.tick, .anchor = FigureAnchor::middle};
    draw_rect(block, min_, max_.x - min_.x, max_.y - min_.y, style.colors.panel, 4);
    const std::string x_title = concat(x_name, " →");
    const double name_begin = max_.x - style.width(x_title, style.tick) - 8;
    const PlanePoint center = scale_.center;
    const double half_x = (max_.x - min_.x) / 2 / scale_.unit;
    const double half_y = (max_.y - min_.y) / 2 / scale_.unit;
    const double least = kGridDistance / scale_.unit;
    double right_end = min_.x;
    for (const GridLine& grid : grid_lines(center.x - half_x, center.x + half_x, least)) {
        const double x = at({grid.place, center.y}).x;
        draw_line(block, {x, min_.y}, {x, max_.y}, grid.is_axis ? axis : line);
        const double half = style.width(grid.number, style.tick) / 2;
        if (!has_numbers || x - half < right_end || x + half > name_begin) continue;
        draw_text(block, {x, max_.y + 14}, grid.number, look);
        right_end = x + half + 6;
    }
    look.anchor = FigureAnchor::end;
    if (!is_line()) {
        for (const GridLine& grid : grid_lines(center.y - half_y, center.y + half_y, least)) {
            const double y = at({center.x, grid.place}).y;
            draw_line(block, {min_.x, y}, {max_.x, y}, grid.is_axis ? axis : line);
            if (has_numbers) draw_text_at_middle(block, min_.x - 5, y, grid.number, look);
        }
        TextLook name = look;
        name.anchor = FigureAnchor::start;
        draw_text(block, {min_.x + 6, min_.y + 14}, concat("↑ ", y_name), name);
    }
    draw_frame(block, min_, max_.x - min_.x, max_.y - min_.y, style.colors.line, 1, 4);
    draw_text(block, {max_.x, max_.y + 14}, x_title, look);
}

void draw_arrow(FigureBlock& block, FigurePoint from, FigurePoint to, const ArrowLook& look, std::string tip) {
    const double size = std::hypot(to.x - from.x, to.y - from.y);
    if (size < 3) {
        draw_circle(block, to, 2 + look.thickness / 2, {.fill = look.color});
        std::get<FigureRect>(block.elements.back()).tip = std::move(tip);
        return;
    }
    const FigurePoint along = {(to.x - from.x) / size, (to.y - from.y) / size};
    const double head = std::min(5 + 2.2 * look.thickness, size * 0.7);
    const double half = head * 0.42;
    const FigurePoint base = {to.x - along.x * head, to.y - along.y * head};
    draw_line(block, from, base, look.color, look.thickness,
              look.is_dashed ? std::vector<double>{6, 4} : std::vector<double>());
    FigurePath triangle;
    triangle.pieces = {{.step = FigureStep::move, .to = to},
                       {.step = FigureStep::line, .to = {base.x - along.y * half, base.y + along.x * half}},
                       {.step = FigureStep::line, .to = {base.x + along.y * half, base.y - along.x * half}},
                       {.step = FigureStep::close}};
    triangle.look.fill = look.is_dashed ? look.paper : look.color;
    if (look.is_dashed) {
        triangle.look.line = look.color;
        triangle.look.line_width = std::max(1.0, look.thickness * 0.8);
    }
    triangle.tip = std::move(tip);
    block.elements.emplace_back(std::move(triangle));
}

bool FigureLabels::put(FigureBlock& block, std::string_view text, const TextLook& look, FigurePoint from,
                       FigurePoint tip) {
    const double width = style_.width(text, look.size, look.font);
    const double height = look.size * 1.25;
    const double outward = std::atan2(tip.y - from.y, tip.x - from.x);
    for (const double turn : {0, 1, -1, 2, -2, 3, -3}) {
        const double angle = outward + turn * std::numbers::pi / 4;
        const FigurePoint center = {tip.x + std::cos(angle) * (width / 2 + 6),
                                    tip.y + std::sin(angle) * (height / 2 + 4)};
        const FigureBox box = {center.x - width / 2, center.y - height / 2, center.x + width / 2,
                               center.y + height / 2};
        if (box.left < min_.x || box.right > max_.x || box.top < min_.y || box.bottom > max_.y) continue;
        const bool is_taken = std::any_of(taken_.begin(), taken_.end(), [&](const FigureBox& other) {
            return box.left < other.right + 2 && other.left < box.right + 2 && box.top < other.bottom - 1 &&
                   other.top < box.bottom - 1;
        });
        if (is_taken) continue;
        FigureRect ground{.at = {box.left - 1, box.top + 1}, .width = width + 2, .height = height - 2, .corner = 3};
        ground.look.fill = style_.colors.panel;
        ground.look.opacity = 0.75;  // what it covers can still be made out
        block.elements.emplace_back(std::move(ground));
        TextLook middle = look;
        middle.anchor = FigureAnchor::middle;
        draw_text_at_middle(block, center.x, center.y, text, middle);
        taken_.push_back(box);
        return true;
    }
    return false;
}

}  // namespace attn
