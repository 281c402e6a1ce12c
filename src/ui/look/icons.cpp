// Draws each pictogram from lines and arcs.
#include "ui/look/icons.h"

#include <array>
#include <cmath>
#include <span>

#include "scene/kit/colormap.h"
#include "ui/look/theme.h"

namespace attn {
namespace {

constexpr float kPi = 3.14159265F;

// Draws lines in a square from -1 to 1 around `center`.
class Pen {
public:
    Pen(ImVec2 center, float size, ImU32 color) : center_(center), half_(size / 2), color_(color) {}

    void line(std::span<const ImVec2> points) const {
        for (const ImVec2& point : points) list().PathLineTo(at(point));
        list().PathStroke(color_, ImDrawFlags_None, kThickness);
    }
    // From angle `begin` to `end`, in half turns; 0 points right, 0.5 down.
    void arc(ImVec2 middle, float radius, float begin, float end) const {
        list().PathArcTo(at(middle), radius * half_, begin * kPi, end * kPi);
        list().PathStroke(color_, ImDrawFlags_None, kThickness);
    }
    void area(std::span<const ImVec2> corners) const {  // in clockwise order
        for (const ImVec2& corner : corners) list().PathLineTo(at(corner));
        list().PathFillConvex(color_);
    }
    void dot(ImVec2 middle, float radius) const { list().AddCircleFilled(at(middle), radius * half_, color_); }

private:
    static constexpr float kThickness = 1.4F;
    static ImDrawList& list() { return *ImGui::GetWindowDrawList(); }
    ImVec2 at(ImVec2 point) const { return {center_.x + point.x * half_, center_.y + point.y * half_}; }

    ImVec2 center_;
    float half_;
    ImU32 color_;
};

using Line2 = std::array<ImVec2, 2>;
using Line3 = std::array<ImVec2, 3>;
using Line4 = std::array<ImVec2, 4>;

void draw_sun(const Pen& pen) {
    pen.arc({0, 0}, 0.42F, 0, 2);
    for (int ray = 0; ray < 8; ++ray) {
        const float angle = kPi * static_cast<float>(ray) / 4;
        const ImVec2 way = {std::cos(angle), std::sin(angle)};
        pen.line(Line2{{{way.x * 0.7F, way.y * 0.7F}, {way.x * 0.95F, way.y * 0.95F}}});
    }
}

// A crescent: most of a circle, and the part of the shadow's edge that lies inside it. Where the two meet follows from
// their radii (0.8 and 0.62) and the shadow's way up and right (0.38, 0.38).
void draw_moon(const Pen& pen) {
    pen.arc({0, 0}, 0.8F, 0.032F, 1.468F);
    pen.arc({0.38F, -0.38F}, 0.62F, 0.266F, 1.234F);
}

void draw_settings(const Pen& pen) {
    constexpr std::array<float, 3> kKnobs = {0.35F, -0.35F, 0.1F};
    for (int row = 0; row < 3; ++row) {
        const float y = 0.55F * static_cast<float>(row - 1);
        pen.line(Line2{{{-0.85F, y}, {0.85F, y}}});
        pen.dot({kKnobs[static_cast<std::size_t>(row)], y}, 0.2F);
    }
}

// A line that turns back, with its head at the left end; mirrored with side -1.
void draw_turn(const Pen& pen, float side) {
    constexpr float kTop = -0.2F;
    constexpr float kRadius = 0.45F;
    const float begin = side > 0 ? -0.5F : 1.5F;
    pen.line(Line3{{{-0.4F * side, kTop - 0.42F}, {-0.82F * side, kTop}, {-0.4F * side, kTop + 0.42F}}});
    pen.line(Line2{{{-0.82F * side, kTop}, {0.35F * side, kTop}}});
    pen.arc({0.35F * side, kTop + kRadius}, kRadius, begin, 0.5F);
    pen.line(Line2{{{0.35F * side, kTop + 2 * kRadius}, {-0.2F * side, kTop + 2 * kRadius}}});
}

// An arrow up and out of an open box.
void draw_way_out(const Pen& pen) {
    pen.line(Line2{{{0, 0.3F}, {0, -0.9F}}});
    pen.line(Line3{{{-0.42F, -0.5F}, {0, -0.92F}, {0.42F, -0.5F}}});
    pen.line(Line3{{{-0.38F, -0.1F}, {-0.75F, -0.1F}, {-0.75F, 0.9F}}});
    pen.line(Line3{{{-0.75F, 0.9F}, {0.75F, 0.9F}, {0.75F, -0.1F}}});
    pen.line(Line2{{{0.75F, -0.1F}, {0.38F, -0.1F}}});
}

void draw_padlock(const Pen& pen) {
    pen.arc({0, -0.25F}, 0.5F, 1, 2);
    pen.line(Line2{{{-0.5F, -0.25F}, {-0.5F, 0}}});
    pen.line(Line2{{{0.5F, -0.25F}, {0.5F, 0}}});
    pen.line(Line3{{{-0.8F, 0}, {0.8F, 0}, {0.8F, 0.9F}}});
    pen.line(Line3{{{0.8F, 0.9F}, {-0.8F, 0.9F}, {-0.8F, 0}}});
}

// A page with three lines of writing.
void draw_sheet(const Pen& pen) {
    pen.line(Line3{{{-0.65F, 0.9F}, {-0.65F, -0.9F}, {0.65F, -0.9F}}});
    pen.line(Line3{{{0.65F, -0.9F}, {0.65F, 0.9F}, {-0.65F, 0.9F}}});
    for (const float y : {-0.45F, 0.0F, 0.45F}) pen.line(Line2{{{-0.3F, y}, {0.3F, y}}});
}

}  // namespace

void draw_icon(Icon icon, ImVec2 center, float size, ImU32 color) {
    const Pen pen(center, size, color);
    switch (icon) {
        case Icon::minus:
            return pen.line(Line2{{{-0.6F, 0}, {0.6F, 0}}});
        case Icon::plus:
            pen.line(Line2{{{-0.6F, 0}, {0.6F, 0}}});
            return pen.line(Line2{{{0, -0.6F}, {0, 0.6F}}});
        case Icon::again:
            pen.arc({0, 0}, 0.62F, -0.25F, 1.4F);
            return pen.line(Line3{{{0.44F, -0.95F}, {0.44F, -0.44F}, {0.95F, -0.44F}}});
        case Icon::close:
            pen.line(Line2{{{-0.55F, -0.55F}, {0.55F, 0.55F}}});
            return pen.line(Line2{{{-0.55F, 0.55F}, {0.55F, -0.55F}}});
        case Icon::sun:
            return draw_sun(pen);
        case Icon::moon:
            return draw_moon(pen);
        case Icon::settings:
            return draw_settings(pen);
        case Icon::left:
            return pen.line(Line3{{{0.3F, -0.6F}, {-0.3F, 0}, {0.3F, 0.6F}}});
        case Icon::right:
            return pen.line(Line3{{{-0.3F, -0.6F}, {0.3F, 0}, {-0.3F, 0.6F}}});
        case Icon::up:
            return pen.line(Line3{{{-0.6F, 0.3F}, {0, -0.3F}, {0.6F, 0.3F}}});
        case Icon::down:
            return pen.line(Line3{{{-0.6F, -0.3F}, {0, 0.3F}, {0.6F, -0.3F}}});
        case Icon::arrow:
            pen.line(Line2{{{-0.8F, 0}, {0.8F, 0}}});
            return pen.line(Line3{{{0.35F, -0.45F}, {0.8F, 0}, {0.35F, 0.45F}}});
        case Icon::undo:
            return draw_turn(pen, 1);
        case Icon::redo:
            return draw_turn(pen, -1);
        case Icon::share:
            return draw_way_out(pen);
        case Icon::lock:
            return draw_padlock(pen);
        case Icon::tick:
            pen.line(Line3{{{-0.75F, 0.05F}, {-0.2F, 0.6F}, {0.8F, -0.6F}}});
            return;
        case Icon::play:
            return pen.area(Line3{{{-0.5F, -0.75F}, {0.75F, 0}, {-0.5F, 0.75F}}});
        case Icon::pause:
            pen.area(Line4{{{-0.6F, -0.7F}, {-0.2F, -0.7F}, {-0.2F, 0.7F}, {-0.6F, 0.7F}}});
            return pen.area(Line4{{{0.2F, -0.7F}, {0.6F, -0.7F}, {0.6F, 0.7F}, {0.2F, 0.7F}}});
        case Icon::first:
            pen.line(Line2{{{-0.6F, -0.6F}, {-0.6F, 0.6F}}});
            return pen.line(Line3{{{0.6F, -0.6F}, {-0.2F, 0}, {0.6F, 0.6F}}});
        case Icon::sheet:
            return draw_sheet(pen);
    }
}

void draw_logo(ImVec2 min, float size, bool is_dark, ImU32 line) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float cell = (size - 2) / 2;
    const auto square = [&](int row, int column, ImU32 color) {
        const ImVec2 corner = {min.x + static_cast<float>(column) * (cell + 2),
                               min.y + static_cast<float>(row) * (cell + 2)};
        list.AddRectFilled(corner, {corner.x + cell, corner.y + cell}, color, 2);
        return corner;
    };
    const ImU32 blue = is_dark ? IM_COL32(0x56, 0xB4, 0xE9, 255) : IM_COL32(0x00, 0x72, 0xB2, 255);
    const ImU32 orange = is_dark ? IM_COL32(0xE6, 0x9F, 0x00, 255) : IM_COL32(0xD5, 0x5E, 0x00, 255);
    square(0, 0, blue);
    square(1, 0, (blue & ~IM_COL32_A_MASK) | (115U << IM_COL32_A_SHIFT));
    square(1, 1, orange);
    const ImVec2 empty = {min.x + cell + 2, min.y};
    list.AddRect(empty, {empty.x + cell, empty.y + cell}, line, 2);
}

}  // namespace attn
