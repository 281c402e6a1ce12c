// Draws the axes of a plot, and puts data between them.
#include "scene/kit/figure_plot.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr double kPlotGap = 6;  // between an axis and its numbers

// "0.001", "1", "−30".
std::string tick_number(double value) {
    return concat(value < 0 ? "−" : "", exact_number(std::abs(value)));
}

// 0 at the low end, 1 at the high one.
double share_of(const FigureAxis& axis, double value) {
    if (axis.is_log) return std::log(std::max(value, axis.low) / axis.low) / std::log(axis.high / axis.low);
    return (value - axis.low) / (axis.high - axis.low);
}

FigurePath closed_path(std::vector<FigurePoint> corners, Rgb color) {
    FigurePath path;
    for (const FigurePoint corner : corners) {
        path.pieces.push_back({.step = path.pieces.empty() ? FigureStep::move : FigureStep::line, .to = corner});
    }
    path.pieces.push_back({.step = FigureStep::close});
    path.look.fill = color;
    return path;
}

}  // namespace

void draw_mark(FigureBlock& block, FigurePoint center, FigureMark mark, Rgb color, double radius) {
    switch (mark) {
        case FigureMark::disc:
            draw_circle(block, center, radius, {.fill = color});
            return;
        case FigureMark::square:
            draw_rect(block, {center.x - radius, center.y - radius}, 2 * radius, 2 * radius, color);
            return;
        case FigureMark::diamond: {
            const double reach = radius * 1.35;
            block.elements.emplace_back(closed_path({{center.x, center.y - reach},
                                                     {center.x + reach, center.y},
                                                     {center.x, center.y + reach},
                                                     {center.x - reach, center.y}},
                                                    color));
            return;
        }
    }
}

FigurePlot::FigurePlot(const SceneStyle& style, double width, double height, FigureAxis x, FigureAxis y)
    : style_(style), x_(std::move(x)), y_(std::move(y)) {
    const auto tick_width = [&](double tick) { return style.width(tick_number(tick), style.tick); };
    double widest = 0;
    for (const double tick : y_.ticks) widest = std::max(widest, tick_width(tick));
    const double first = x_.ticks.empty() ? 0 : tick_width(x_.ticks.front()) / 2;
    left_ = std::ceil(std::max(y_.ticks.empty() ? 2 : widest + kPlotGap, first));
    top_ = style.tick / 2 + 1;
    const bool has_numbers = !x_.ticks.empty();
    right_ = width - std::ceil(has_numbers ? tick_width(x_.ticks.back()) / 2 + 2 : style.tick / 2);
    bottom_ =
        height - (has_numbers ? style.tick + 2 * kPlotGap : style.tick / 2) - (x_.title.empty() ? 0 : 1.5 * style.tick);
    block_.width = width;
    block_.height = height;

    TextLook look = {.ink = style.colors.soft_ink, .size = style.tick, .anchor = FigureAnchor::end};
    for (const double tick : y_.ticks) {
        const double place = at({x_.low, tick}).y;
        draw_line(block_, {left_, place}, {right_, place}, style.colors.line);
        draw_text_at_middle(block_, left_ - kPlotGap, place, tick_number(tick), look);
    }
    draw_text(block_, {right_, height - 3}, x_.title, look);
    look.anchor = FigureAnchor::middle;
    double free_from = -1e9;
    for (const double tick : x_.ticks) {
        const double place = at({tick, y_.low}).x;
        draw_line(block_, {place, bottom_}, {place, bottom_ + 4}, style.colors.soft_ink);
        const double half = tick_width(tick) / 2;
        if (place - half < free_from) continue;
        draw_text_at_middle(block_, place, bottom_ + kPlotGap + style.tick * 0.6, tick_number(tick), look);
        free_from = place + half + 4;
    }
    draw_line(block_, {left_, bottom_}, {right_, bottom_}, style.colors.soft_ink);
}

FigurePoint FigurePlot::at(FigurePoint point) const {
    return {left_ + (right_ - left_) * share_of(x_, point.x),
            bottom_ - (bottom_ - top_) * std::clamp(share_of(y_, point.y), 0.0, 1.0)};
}

void FigurePlot::line(const std::vector<FigurePoint>& points, Rgb color, double thickness) {
    FigurePath path;
    for (const FigurePoint point : points) {
        if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
        path.pieces.push_back({.step = path.pieces.empty() ? FigureStep::move : FigureStep::line, .to = at(point)});
    }
    path.look = {.line = color, .line_width = thickness};
    block_.elements.emplace_back(std::move(path));
}

void FigurePlot::dashes(FigurePoint from, FigurePoint to) {
    draw_line(block_, at(from), at(to), style_.colors.soft_ink, 1, {4, 4});
}

void FigurePlot::mark(FigurePoint point, FigureMark mark, Rgb color, double radius, std::string tip) {
    draw_mark(block_, at(point), mark, color, radius);
    FigureElement& drawn = block_.elements.back();
    if (auto* rect = std::get_if<FigureRect>(&drawn)) {
        rect->tip = std::move(tip);
    } else {
        std::get<FigurePath>(drawn).tip = std::move(tip);
    }
}

void FigurePlot::bar(double from, double to, double height, Rgb color, std::string tip) {
    if (height <= 0) return;
    const FigurePoint corner = at({from, height});
    const double width = std::max(at({to, height}).x - corner.x, 1.0);
    block_.elements.emplace_back(FigureRect{.at = corner,
                                            .width = width,
                                            .height = bottom_ - corner.y,
                                            .look = {.fill = color, .is_crisp = true},
                                            .tip = std::move(tip)});
}

void FigurePlot::cursor(double x, Rgb color) {
    const double place = at({x, y_.low}).x;
    draw_line(block_, {place, top_}, {place, bottom_}, color, 1.5);
}

}  // namespace attn
