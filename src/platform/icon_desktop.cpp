// Draws the icon with the measures and colours of web/icon.svg, which is 32 units wide.
#include "platform/icon_desktop.h"

#include <numbers>

#include "core/ground/check.h"
#include "platform/pixels_desktop.h"

namespace attn {
namespace {

constexpr double kUnits = 32;

// In icon units, from the top left.
struct Square {
    double x, y, side, radius;
};

void outline(cairo_t* cairo, const Square& square) {
    constexpr double kQuarter = std::numbers::pi / 2;
    const double left = square.x + square.radius, right = square.x + square.side - square.radius;
    const double top = square.y + square.radius, bottom = square.y + square.side - square.radius;
    cairo_new_path(cairo);
    cairo_arc(cairo, right, top, square.radius, -kQuarter, 0);
    cairo_arc(cairo, right, bottom, square.radius, 0, kQuarter);
    cairo_arc(cairo, left, bottom, square.radius, kQuarter, 2 * kQuarter);
    cairo_arc(cairo, left, top, square.radius, 2 * kQuarter, 3 * kQuarter);
    cairo_close_path(cairo);
}

// `rgb` is 0xRRGGBB.
void set_color(cairo_t* cairo, unsigned rgb) {
    cairo_set_source_rgb(cairo, (rgb >> 16) / 255.0, (rgb >> 8 & 0xff) / 255.0, (rgb & 0xff) / 255.0);
}

void fill(cairo_t* cairo, const Square& square, unsigned rgb) {
    outline(cairo, square);
    set_color(cairo, rgb);
    cairo_fill(cairo);
}

}  // namespace

std::vector<std::uint8_t> draw_icon(int size) {
    ATTN_CHECK(size >= 8 && size <= 1024, "the icon's size is ", size);
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, size, size));
    cairo_t* cairo = cairo_create(surface.get());
    cairo_scale(cairo, size / kUnits, size / kUnits);
    fill(cairo, {0, 0, 32, 7}, 0xffffff);
    fill(cairo, {5, 5, 10, 2}, 0x0072b2);
    outline(cairo, {17.5, 5.5, 9, 1.5});  // a causal mask: the first word cannot see the second
    set_color(cairo, 0xc9c4ba);
    cairo_set_line_width(cairo, 1);
    cairo_stroke(cairo);
    fill(cairo, {5, 17, 10, 2}, 0x80b8d8);
    fill(cairo, {17, 17, 10, 2}, 0xd55e00);
    cairo_destroy(cairo);
    return to_rgba(surface.get());
}

}  // namespace attn
