// The pen that puts the lines on the screen, and what it is to draw.
#include <imgui.h>

#include <string>
#include <utility>

#include "core/ground/check.h"
#include "ui/frame/frame.h"
#include "ui/frame/layout.h"
#include "ui/kit/marks.h"
#include "ui/kit/scene_pen.h"
#include "ui/kit/widgets.h"
#include "ui/lines/lines_picture.h"
#include "views/lines/lines_scene.h"

namespace attn {
namespace {

class ScreenLinesPen final : public LinesPen {
public:
    ScreenLinesPen(UiFrame& frame, ImVec2 origin) : frame_(frame), origin_(origin) {}

    void stroke(FigurePoint from, FigurePoint to, const AttentionLine&, Rgb color, double width,
                double opacity) override {
        list().AddLine(at(from), at(to), to_imgui(color, static_cast<float>(opacity)), static_cast<float>(width));
    }
    void dot(FigurePoint center, double radius, Rgb color) override {
        list().AddCircleFilled(at(center), static_cast<float>(radius), to_imgui(color));
    }
    void fill(const FigureBox& box, Rgb color, double corner) override {
        fill_box(min_of(box), max_of(box), to_imgui(color), static_cast<float>(corner));
    }
    void frame(const FigureBox& box, Rgb color, double width, double corner, bool is_dashed) override {
        const auto draw = is_dashed ? dash_box : frame_box;
        draw(min_of(box), max_of(box), to_imgui(color), static_cast<float>(width), static_cast<float>(corner));
    }
    void check_mark(FigurePoint center, double size, Rgb color) override {
        draw_check_mark(at(center), static_cast<float>(size), to_imgui(color));
    }
    void target(FigurePoint from, FigurePoint to, Rgb color) override {
        constexpr float kRing = 5;
        draw_target_line(frame_, at(from), at(to), kRing, to_imgui(color));
    }
    void text(FigurePoint place, std::string_view text, const TextLook& look, double room) override {
        const TextStyle style = text_style(frame_.fonts, look);
        const std::string shown = room > 0 ? shortened(style, text, static_cast<float>(room)) : std::string(text);
        const float align = look.anchor == FigureAnchor::start ? 0 : look.anchor == FigureAnchor::end ? 1 : 0.5F;
        draw_text_in(at(place), at(place), {align, 0.5F}, style, shown);
    }
    void weights_stand_in(int query, int key, const FigureBox& box) override {
        const std::string name = concat("line=", query, ">", key);
        frame_.items.push_back({.name = name, .id = 0, .min = min_of(box), .max = max_of(box), .is_clipped = false});
    }

private:
    static ImDrawList& list() { return *ImGui::GetWindowDrawList(); }
    ImVec2 at(FigurePoint point) const {
        return {origin_.x + static_cast<float>(point.x), origin_.y + static_cast<float>(point.y)};
    }
    ImVec2 min_of(const FigureBox& box) const { return at({box.left, box.top}); }
    ImVec2 max_of(const FigureBox& box) const { return at({box.right, box.bottom}); }

    UiFrame& frame_;
    ImVec2 origin_;
};

LinesLayout layout_of(const LinesPicture& picture) {
    constexpr float kOutside = 4;  // a token's box sticks out of its column
    const bool has_room = picture.pitch >= kTextSize + 3;
    LinesLayout layout;
    layout.pitch = static_cast<double>(picture.pitch);
    layout.label = static_cast<double>(picture.label_width + kOutside);
    layout.dot_distance = static_cast<double>(kEndOfToken - kOutside);
    layout.span = static_cast<double>(picture.width - 2 * (picture.label_width + kEndOfToken));
    layout.text = static_cast<double>((has_room ? kTextSize : kSmallSize) / kLinePerEm);
    return layout;
}

}  // namespace

void draw_line_picture(const LinesPicture& picture) {
    UiFrame& frame = picture.frame;
    LinesMemory& memory = picture.memory;
    LineChoice choice = choose_lines(frame.state.view, picture.weights, picture.first, picture.end, picture.pointed_at);
    if (memory.choice != choice) {
        memory.lines = strongest_lines(picture.weights, choice, kMostLines);
        memory.choice = std::move(choice);
    }
    const std::vector<DrawnTarget> targets = drawn_targets(frame.state);
    const LinesDrawn drawn = {.view = frame.state.view,
                              .weights = picture.weights,
                              .heads = picture.heads,
                              .choice = *memory.choice,
                              .lines = memory.lines,
                              .targets = targets,
                              .high = picture.high,
                              .has_values = shows_part(frame, "values"),
                              .first = picture.first,
                              .end = picture.end,
                              .pointed_at = picture.pointed_at,
                              .pointed_cell = frame.hover.cell,
                              .begins_target = memory.target_from};
    const ScreenRuler ruler(frame.fonts);
    ScreenLinesPen pen(frame, picture.origin);
    draw_lines_scene(pen, screen_style(ruler, frame.palette.is_dark), drawn, layout_of(picture));
}

}  // namespace attn
