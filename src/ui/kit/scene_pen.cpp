// The pen that draws scenes with ImGui's draw lists, and the style in which scenes are laid out for it.
#include "ui/kit/scene_pen.h"

#include <imgui_internal.h>  // ImRect, and the path on a list

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string_view>
#include <variant>
#include <vector>

#include "ui/kit/heads_text.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr double kAscent = 1.025;  // em, of IBM Plex: from the top of a line to its baseline

// ImGui's sizes are whole points, see theme.h.
float imgui_size(double em) {
    return static_cast<float>(std::round(em * static_cast<double>(kLinePerEm)));
}

double em_of(float imgui_size) {
    return static_cast<double>(imgui_size / kLinePerEm);
}

ImFont* font_of(const Fonts& fonts, FigureFont font) {
    return font == FigureFont::mono ? fonts.mono : font == FigureFont::sans_bold ? fonts.sans_bold : fonts.sans;
}

ImVec2 moved(ImVec2 by, FigurePoint point) {
    return {by.x + static_cast<float>(point.x), by.y + static_cast<float>(point.y)};
}

ImU32 color_of(const FigureLook& look, Rgb color) {
    return to_imgui(color, static_cast<float>(look.opacity));
}

ImRect bounds_of(const FigureRect& rect) {
    const FigurePoint end = {rect.at.x + rect.width, rect.at.y + rect.height};
    return {moved({}, rect.at), moved({}, end)};
}

ImRect bounds_of(const FigurePath& path) {
    ImRect bounds(FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX);
    for (const FigurePiece& piece : path.pieces) {
        if (piece.step == FigureStep::close) continue;
        bounds.Add(moved({}, piece.to));
        if (piece.step == FigureStep::curve || piece.step == FigureStep::box) bounds.Add(moved({}, piece.a));
        if (piece.step == FigureStep::curve) bounds.Add(moved({}, piece.b));
    }
    return bounds;
}

class Pen {
public:
    Pen(const Fonts& fonts, ImVec2 corner) : fonts_(fonts), corner_(corner) {}

    void draw(const std::vector<FigureElement>& elements, FigurePoint at) {
        origin_ = moved(corner_, at);
        for (const FigureElement& element : elements) {
            std::visit([&](const auto& shape) { draw(shape); }, element);
        }
    }

    // Of the topmost shape under the pointer that has one.
    std::string_view tip() const { return tip_; }
    ScreenBox tip_box() const { return {tip_box_.Min, tip_box_.Max}; }

private:
    // Whether any of it is in sight; notes its tip where the pointer is on it.
    bool look_at(ImRect bounds, double line_width, std::string_view tip) {
        constexpr float kEasyToHit = 8;
        bounds.Translate(origin_);
        bounds.Expand(static_cast<float>(line_width));
        if (!ImGui::IsRectVisible(bounds.Min, bounds.Max)) return false;
        if (tip.empty()) return true;
        bounds.Expand(
            {std::max(0.0F, kEasyToHit - bounds.GetWidth()) / 2, std::max(0.0F, kEasyToHit - bounds.GetHeight()) / 2});
        if (!bounds.Contains(ImGui::GetMousePos())) return true;
        tip_ = tip;
        tip_box_ = bounds;
        return true;
    }

    void draw(const FigureRect& rect) {
        if (!look_at(bounds_of(rect), rect.look.line_width, rect.tip)) return;
        const ImVec2 min = moved(origin_, rect.at);
        const ImVec2 max = moved(origin_, {rect.at.x + rect.width, rect.at.y + rect.height});
        const auto corner = static_cast<float>(rect.corner);
        const bool is_disc = rect.width == rect.height && 2 * rect.corner >= rect.width;
        const ImVec2 center = {(min.x + max.x) / 2, (min.y + max.y) / 2};
        if (rect.look.fill && is_disc)
            window_list().AddCircleFilled(center, corner, color_of(rect.look, *rect.look.fill));
        if (rect.look.fill && !is_disc)
            window_list().AddRectFilled(min, max, color_of(rect.look, *rect.look.fill), corner);
        if (!rect.look.line) return;
        window_list().PathRect(min, max, corner);
        stroke(rect.look, true);
    }

    // The path that was put on the list.
    void stroke(const FigureLook& look, bool is_closed) {
        const ImU32 color = color_of(look, look.line.value_or(Rgb{}));
        const auto width = static_cast<float>(look.line_width);
        if (!look.line || look.dashes.empty()) {
            const ImDrawFlags flags = is_closed ? ImDrawFlags_Closed : ImDrawFlags_None;
            look.line ? window_list().PathStroke(color, flags, width) : window_list().PathClear();
            return;
        }
        std::vector<ImVec2> points(window_list()._Path.begin(), window_list()._Path.end());
        window_list().PathClear();
        if (is_closed && !points.empty()) points.push_back(points.front());
        std::size_t dash = 0;  // which length of look.dashes it is at; lines at even ones
        double left = look.dashes[0];
        for (std::size_t k = 1; k < points.size(); ++k) {
            const ImVec2 from = points[k - 1];
            const ImVec2 way = {points[k].x - from.x, points[k].y - from.y};
            const double length = static_cast<double>(std::hypot(way.x, way.y));
            const auto along = [&](double walked) {
                const auto share = static_cast<float>(walked / length);
                return ImVec2(from.x + way.x * share, from.y + way.y * share);
            };
            for (double walked = 0; walked < length;) {
                const double step = std::min(left, length - walked);
                if (dash % 2 == 0) window_list().AddLine(along(walked), along(walked + step), color, width);
                walked += step;
                left -= step;
                if (left <= 0) left = look.dashes[++dash % look.dashes.size()];
            }
        }
    }

    // The part of a path that was put on the list: filled, outlined, or both.
    void end_part(const FigureLook& look, bool is_closed) {
        if (window_list()._Path.empty()) return;
        if (look.fill) {
            const std::vector<ImVec2> points(window_list()._Path.begin(), window_list()._Path.end());
            window_list().AddConvexPolyFilled(points.data(), static_cast<int>(points.size()),
                                              color_of(look, *look.fill));
        }
        stroke(look, is_closed);
    }

    void draw(const FigurePath& path) {
        if (!look_at(bounds_of(path), path.look.line_width, path.tip)) return;
        for (const FigurePiece& piece : path.pieces) {
            const ImVec2 to = moved(origin_, piece.to);
            switch (piece.step) {
                case FigureStep::move:
                    end_part(path.look, false);
                    window_list().PathLineTo(to);
                    break;
                case FigureStep::line:
                    window_list().PathLineTo(to);
                    break;
                case FigureStep::curve:
                    // The edges of a broad curve show corners that a thin one hides.
                    window_list().PathBezierCubicCurveTo(moved(origin_, piece.a), moved(origin_, piece.b), to,
                                                         path.look.line_width > 3 ? 48 : 0);
                    break;
                case FigureStep::close:
                    end_part(path.look, true);
                    break;
                case FigureStep::box:
                    end_part(path.look, false);
                    window_list().PathRect(to, moved(origin_, piece.a));
                    end_part(path.look, true);
                    break;
            }
        }
        end_part(path.look, false);
    }

    void draw(const FigureText& text) {
        const TextStyle style = text_style(fonts_, {.ink = text.ink, .size = text.size, .font = text.font});
        const ImVec2 base = moved(origin_, text.at);
        const float top = base.y - static_cast<float>(text.size * kAscent);
        if (text.turn == 0 && !ImGui::IsRectVisible({-FLT_MAX, top}, {FLT_MAX, top + style.size})) return;
        const float width = text.anchor == FigureAnchor::start ? 0 : text_size(style, text.text).x;
        const float left = text.anchor == FigureAnchor::middle ? -width / 2 : -width;
        if (text.turn == 0) {
            draw_level(style, {base.x + left, top}, {base.x + left + width, top + style.size}, {0, 0},
                       ImGui::GetIO().DisplayFramebufferScale.x, text.text);
            return;
        }
        const auto angle = static_cast<float>(text.turn * 3.14159265358979 / 180);
        const float up = base.y - top - style.size / 2;  // from the baseline to the middle of the line
        const ImVec2 start = {base.x + left * std::cos(angle) + up * std::sin(angle),
                              base.y + left * std::sin(angle) - up * std::cos(angle)};
        draw_turned(style, start, -angle, text.text);
    }

    const Fonts& fonts_;
    ImVec2 corner_, origin_ = {};
    std::string_view tip_;
    ImRect tip_box_;  // of the shape that has it, on the screen
};

Pen drawn(const Fonts& fonts, const FigureBlock& scene, ImVec2 corner) {
    Pen pen(fonts, corner);
    for (const PlacedElements& part : scene.placed) pen.draw(part.elements, part.at);
    pen.draw(scene.elements, {});
    return pen;
}

}  // namespace

double ScreenRuler::width(std::string_view text, double size, FigureFont font) const {
    return static_cast<double>(text_size({font_of(fonts_, font), imgui_size(size), 0}, text).x);
}

SceneStyle screen_style(const ScreenRuler& ruler, bool is_dark) {
    return {.colors = figure_colors(is_dark),
            .ruler = &ruler,
            .heading = em_of(kTextSize),
            .body = em_of(kTextSize),
            .small = em_of(kSmallSize),
            .mono = em_of(kMonoSize),
            .tick = em_of(kTinySize),
            .line_em = static_cast<double>(kLinePerEm)};
}

TextStyle text_style(const Fonts& fonts, const TextLook& look) {
    return {font_of(fonts, look.font), imgui_size(look.size), to_imgui(look.ink)};
}

std::string_view draw_shapes(const Fonts& fonts, const FigureBlock& scene, ImVec2 corner) {
    return drawn(fonts, scene, corner).tip();
}

void draw_scene(const Look& look, const FigureBlock& scene, ImVec2 corner) {
    const Pen pen = drawn(look.fonts, scene, corner);
    if (pen.tip().empty() || look.is_touch || !ImGui::IsWindowHovered()) return;
    if (begin_tip(pen.tip_box())) {
        put_text(body(look), pen.tip());
        end_tip();
    }
}

void put_scene(const Look& look, const FigureBlock& scene) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::Dummy({static_cast<float>(scene.width), static_cast<float>(scene.height)});
    draw_scene(look, scene, corner);
}

}  // namespace attn
