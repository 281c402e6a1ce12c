#include "ui/plot.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/check.h"
#include "playground/format.h"

namespace attn {
namespace {

ImDrawList& list() {
    return *ImGui::GetWindowDrawList();
}

TextStyle tick_style(const UiFrame& frame) {
    return {frame.fonts.sans, kTinySize, frame.palette.soft_ink};
}

// 0 at the low end, 1 at the high one.
float share_of(const PlotAxis& axis, double value) {
    if (axis.is_log) return static_cast<float>(std::log(value / axis.low) / std::log(axis.high / axis.low));
    return static_cast<float>((value - axis.low) / (axis.high - axis.low));
}

double value_of(const PlotAxis& axis, float share) {
    const auto way = static_cast<double>(share);
    if (axis.is_log) return axis.low * std::pow(axis.high / axis.low, way);
    return axis.low + (axis.high - axis.low) * way;
}

float widest_tick(const UiFrame& frame, const PlotAxis& axis) {
    float width = 0;
    for (const double tick : axis.ticks) width = std::max(width, text_size(tick_style(frame), tick_text(tick)).x);
    return width;
}

class ClipTo {
public:
    ClipTo(ImVec2 min, ImVec2 max) { list().PushClipRect({min.x - 4, min.y - 4}, {max.x + 4, max.y + 4}, true); }
    ~ClipTo() { list().PopClipRect(); }
    ClipTo(const ClipTo&) = delete;
    ClipTo& operator=(const ClipTo&) = delete;
};

}  // namespace

std::string tick_text(double value) {
    std::string text = exact_number(value);
    if (!text.empty() && text.front() == '-') text = "−" + text.substr(1);
    return text;
}

void draw_plot_mark(ImVec2 center, PlotMark shape, ImU32 color, float radius) {
    switch (shape) {
        case PlotMark::disc:
            list().AddCircleFilled(center, radius, color);
            return;
        case PlotMark::square:
            fill_box({center.x - radius, center.y - radius}, {center.x + radius, center.y + radius}, color, 0);
            return;
        case PlotMark::diamond: {
            const float reach = radius * 1.35F;
            list().AddQuadFilled({center.x, center.y - reach}, {center.x + reach, center.y},
                                 {center.x, center.y + reach}, {center.x - reach, center.y}, color);
            return;
        }
    }
}

Plot::Plot(UiFrame& frame, ImVec2 size, PlotAxis x, PlotAxis y) : x_(std::move(x)), y_(std::move(y)) {
    constexpr float kGap = 6;
    const TextStyle style = tick_style(frame);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::Dummy(size);
    const float first = x_.ticks.empty() ? 0 : text_size(style, tick_text(x_.ticks.front())).x / 2;
    const float left = std::max(y_.ticks.empty() ? 2 : widest_tick(frame, y_) + kGap, first);
    const float right = x_.ticks.empty() ? 2 : text_size(style, tick_text(x_.ticks.back())).x / 2 + 2;
    const float top = y_.title.empty() ? kTinySize / 2 : kTinySize * 1.8F;
    const float bottom = kTinySize + kGap + (x_.title.empty() ? 0 : kTinySize);
    min_ = {corner.x + left, corner.y + top};
    max_ = {corner.x + size.x - right, corner.y + size.y - bottom};

    draw_text({corner.x, corner.y}, style, y_.title);
    draw_text_in({min_.x, max_.y + kGap + kTinySize}, {max_.x, corner.y + size.y}, {1, 0.5F}, style, x_.title);
    for (const double tick : y_.ticks) {
        const float y_place = at(x_.low, tick).y;
        list().AddLine({min_.x, y_place}, {max_.x, y_place}, frame.palette.line);
        draw_text_in({corner.x, y_place - 8}, {min_.x - kGap, y_place + 8}, {1, 0.5F}, style, tick_text(tick));
    }
    float free_from = -1e9F;
    for (const double tick : x_.ticks) {
        const float x_place = at(tick, y_.low).x;
        const float half = text_size(style, tick_text(tick)).x / 2;
        list().AddLine({x_place, max_.y}, {x_place, max_.y + 4}, frame.palette.soft_ink);
        if (x_place - half < free_from) continue;
        draw_text({x_place - half, max_.y + kGap}, style, tick_text(tick));
        free_from = x_place + half + 4;
    }
    list().AddLine({min_.x, max_.y}, max_, frame.palette.soft_ink);
}

ImVec2 Plot::at(double x, double y) const {
    return {min_.x + (max_.x - min_.x) * share_of(x_, x), max_.y - (max_.y - min_.y) * share_of(y_, y)};
}

bool Plot::can_show(PlotPoint point) const {
    const bool has_x = std::isfinite(point.x) && (!x_.is_log || point.x > 0);
    return has_x && std::isfinite(point.y) && (!y_.is_log || point.y > 0);
}

void Plot::line(std::span<const PlotPoint> points, ImU32 color, float thickness) const {
    const ClipTo clip(min_, max_);
    for (const PlotPoint& point : points) {
        if (can_show(point)) list().PathLineTo(at(point.x, point.y));
    }
    list().PathStroke(color, ImDrawFlags_None, thickness);
}

void Plot::dashes(PlotPoint from, PlotPoint to, ImU32 color) const {
    constexpr float kDash = 4;
    if (!can_show(from) || !can_show(to)) return;
    const ClipTo clip(min_, max_);
    const ImVec2 begin = at(from.x, from.y);
    const ImVec2 end = at(to.x, to.y);
    const float length = std::hypot(end.x - begin.x, end.y - begin.y);
    const ImVec2 way = {(end.x - begin.x) / length, (end.y - begin.y) / length};
    for (float done = 0; done < length; done += 2 * kDash) {
        const float stop = std::min(done + kDash, length);
        list().AddLine({begin.x + way.x * done, begin.y + way.y * done},
                       {begin.x + way.x * stop, begin.y + way.y * stop}, color);
    }
}

void Plot::mark(PlotPoint point, PlotMark shape, ImU32 color, float radius) const {
    if (can_show(point)) draw_plot_mark(at(point.x, point.y), shape, color, radius);
}

void Plot::bar(double from, double to, double height, ImU32 color) const {
    const ClipTo clip(min_, max_);
    const ImVec2 top = at(from, height);
    const float right = std::max(at(to, height).x, top.x + 1);
    if (height > 0) list().AddRectFilled(top, {right, max_.y}, color);
}

void Plot::cursor(double x, ImU32 color) const {
    const float place = at(x, y_.low).x;
    list().AddLine({place, min_.y}, {place, max_.y}, color);
}

std::optional<PlotPoint> Plot::pointed() const {
    const ImVec2 place = ImGui::GetMousePos();
    if (place.x < min_.x || place.x > max_.x || place.y < min_.y || place.y > max_.y) return std::nullopt;
    return PlotPoint{value_of(x_, (place.x - min_.x) / (max_.x - min_.x)),
                     value_of(y_, (max_.y - place.y) / (max_.y - min_.y))};
}

}  // namespace attn
