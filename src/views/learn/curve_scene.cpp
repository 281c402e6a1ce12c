// Axes that suit the losses, and the curve between them.
#include "views/learn/curve_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "scene/kit/figure_plot.h"

namespace attn {
namespace {

// Round numbers from low to high, about `count` of them.
std::vector<double> round_ticks(double low, double high, int count) {
    const double wanted = (high - low) / count;
    const double decade = std::pow(10, std::floor(std::log10(wanted)));
    double step = 10 * decade;
    for (const double factor : {5.0, 2.0, 1.0}) {
        if (factor * decade >= wanted) step = factor * decade;
    }
    std::vector<double> ticks;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high * (1 + 1e-9); ++k) {
        ticks.push_back(std::round(k * step * 1e12) / 1e12);  // 0.3, not 0.30000000000000004
    }
    return ticks;
}

FigureAxis step_axis(int last) {
    FigureAxis axis{.low = 0, .high = static_cast<double>(std::max(last, 1)), .ticks = {}, .title = "step"};
    for (const double tick : round_ticks(0, axis.high, 5)) {
        if (tick == std::floor(tick)) axis.ticks.push_back(tick);
    }
    return axis;
}

// From 0 where that is not far off, else from a little below the lowest.
FigureAxis linear_axis(double low, double high) {
    constexpr double kNear = 0.5;  // of the largest
    FigureAxis axis{.low = 0, .high = high > 0 ? high : 1, .ticks = {}};
    if (low > kNear * axis.high) {
        const double margin = high > low ? (high - low) / 8 : high / 8;
        axis.low = low - margin;
        axis.high = high + margin;
    }
    axis.ticks = round_ticks(axis.low, axis.high, 4);
    return axis;
}

FigureAxis log_axis(double low, double high) {
    constexpr double kMostDecades = 6;  // with a number at each
    FigureAxis axis{.low = low, .high = high, .is_log = true, .ticks = {}};
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    const int step = std::max(1, static_cast<int>(std::ceil((last - first) / kMostDecades)));
    for (int exponent = first; exponent <= last; exponent += step) {
        axis.ticks.push_back(std::stod(concat("1e", exponent)));  // the nearest double, which prints as such
    }
    return axis;
}

FigureAxis loss_axis(const LossCurve& curve) {
    const bool is_log = needs_log_axis(curve);
    double high = 0;
    double low = std::numeric_limits<double>::infinity();
    for (const double loss : curve.losses) {
        if (!std::isfinite(loss) || (is_log && loss <= 0)) continue;
        high = std::max(high, loss);
        low = std::min(low, loss);
    }
    if (curve.bound > 0) {
        low = std::min(low, curve.bound);
        high = std::max(high, curve.bound);
    }
    if (!std::isfinite(low)) return linear_axis(0, 1);
    return is_log ? log_axis(low, high) : linear_axis(low, high);
}

std::vector<FigurePoint> curve_points(std::span<const double> losses) {
    constexpr int kStretches = 400;
    std::vector<FigurePoint> points;
    for (const int step : steps_to_draw(losses, kStretches))
        points.push_back({static_cast<double>(step), losses[static_cast<std::size_t>(step)]});
    return points;
}

std::string step_and_loss(const LossCurve& curve, int step) {
    return concat("step ", step, ": ", shown_number(curve.losses[static_cast<std::size_t>(step)]));
}

// The bound over steps 0 to `last`, and the losses.
void draw_losses(FigurePlot& plot, const SceneStyle& style, const LossCurve& curve, int last, double thickness) {
    if (curve.bound > 0) plot.dashes({0, curve.bound}, {static_cast<double>(last), curve.bound});
    plot.line(curve_points(curve.losses), style.colors.accent, thickness);
}

void mark_loss(FigurePlot& plot, const LossCurve& curve, int step, Rgb color, double radius) {
    const double loss = curve.losses[static_cast<std::size_t>(step)];
    if (!std::isfinite(loss)) return;
    plot.mark({static_cast<double>(step), loss}, FigureMark::disc, color, radius, step_and_loss(curve, step));
}

// "—— loss  - - - bound 0.6931 = ln 2"
FigureBlock key_of_lines(const SceneStyle& style, const std::string& bound) {
    constexpr double kLine = 24;
    const TextLook look = {.ink = style.colors.soft_ink, .size = style.small};
    FigureBlock block;
    block.height = std::ceil(1.5 * style.small);
    double x = 0;
    const auto put = [&](const std::string& text, Rgb color, double thickness, const std::vector<double>& dashes) {
        const double middle = block.height / 2;
        draw_line(block, {x, middle}, {x + kLine, middle}, color, thickness, dashes);
        draw_text_at_middle(block, x + kLine + 6, middle, text, look);
        x += kLine + 6 + style.width(text, look.size) + 20;
        block.width = x - 20;
    };
    put("loss", style.colors.accent, 2, {});
    if (!bound.empty()) put(concat("bound ", bound), style.colors.soft_ink, 1, {4, 4});
    return block;
}

}  // namespace

FigureBlock curve_scene(const SceneStyle& style, const LossCurve& curve, const std::string& bound, double width,
                        double height, std::optional<int> pointed) {
    const auto last = static_cast<int>(curve.losses.size()) - 1;
    FigurePlot plot(style, width, height, step_axis(last), loss_axis(curve));
    if (pointed) plot.cursor(*pointed, mixed(style.colors.line, style.colors.accent, 0.5F));
    draw_losses(plot, style, curve, std::max(last, 1), 2);
    if (pointed) mark_loss(plot, curve, *pointed, style.colors.ink, 3.5);
    mark_loss(plot, curve, curve.step, style.colors.accent, 5);
    const FigureBox area = plot.area();
    FigureBlock block = std::move(plot).block();
    block.places.push_back({"curve", area});
    FigureBlock key =
        stacked_blocks(heading_block(style, std::nullopt, concat("Loss at ", step_and_loss(curve, curve.step)),
                                     pointed ? step_and_loss(curve, *pointed) : "", width),
                       key_of_lines(style, bound), 0);
    return stacked_blocks(std::move(key), std::move(block), 6);
}

FigureBlock small_curve(const SceneStyle& style, LossCurve curve, int range, double width, double height) {
    curve.losses = curve.losses.first(std::min(curve.losses.size(), static_cast<std::size_t>(range) + 1));
    curve.step = std::min(curve.step, static_cast<int>(curve.losses.size()) - 1);
    FigureAxis losses = loss_axis(curve);
    losses.ticks.clear();
    FigurePlot plot(style, width, height, {.low = 0, .high = static_cast<double>(range)}, std::move(losses));
    draw_losses(plot, style, curve, range, 1.5);
    mark_loss(plot, curve, curve.step, style.colors.accent, 4);
    return std::move(plot).block();
}

int step_at(const LossCurve& curve, const FigureBox& place, double x) {
    const auto last = static_cast<int>(curve.losses.size()) - 1;
    const double share = (x - place.left) / (place.right - place.left);
    return std::clamp(static_cast<int>(std::lround(share * std::max(last, 1))), 0, last);
}

}  // namespace attn
