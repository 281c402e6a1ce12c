// Draws a figure with Cairo and Pango.
#include "platform/figure_engine_desktop.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/ground/check.h"
#include "platform/figure_fonts_desktop.h"
#include "platform/pango_desktop.h"
#include "platform/pixels_desktop.h"

namespace attn {
namespace {

constexpr double kMiterLimit = 4;   // as in SVG
constexpr double kTouching = 0.02;  // points

// Bytes first: Cairo would cut off where SVG and the page round.
double byte_part(float part) {
    return std::round(static_cast<double>(part) * 255) / 255;
}

void use_color(cairo_t* cairo, Rgb color, double opacity = 1) {
    cairo_set_source_rgba(cairo, byte_part(color.r), byte_part(color.g), byte_part(color.b), opacity);
}

// Fills and outlines the current path, which is gone afterwards.
void paint(cairo_t* cairo, const FigureLook& look) {
    if (look.fill) {
        use_color(cairo, *look.fill, look.opacity);
        cairo_fill_preserve(cairo);
    }
    if (look.line) {
        use_color(cairo, *look.line, look.opacity);
        cairo_set_line_width(cairo, look.line_width);
        cairo_set_dash(cairo, look.dashes.data(), static_cast<int>(look.dashes.size()), 0);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

// The nearest whole pixel.
double on_pixel(double edge, double scale) {
    return std::floor(edge * scale + 0.5) / scale;
}

void draw(cairo_t* cairo, PangoContext*, const FigureRect& rect) {
    const double corner = std::min({rect.corner, rect.width / 2, rect.height / 2});
    if (rect.look.is_crisp) {
        double scale = 1;
        double scale_y = 0;
        cairo_user_to_device_distance(cairo, &scale, &scale_y);
        // Where two edges are meant to be one they overlap rather than leave a gap.
        const double left = on_pixel(rect.at.x - kTouching, scale);
        const double top = on_pixel(rect.at.y - kTouching, scale);
        const double right = on_pixel(rect.at.x + rect.width + kTouching, scale);
        const double bottom = on_pixel(rect.at.y + rect.height + kTouching, scale);
        cairo_rectangle(cairo, left, top, right - left, bottom - top);
    } else if (corner > 0) {
        constexpr double kQuarter = std::numbers::pi / 2;
        const double left = rect.at.x + corner, right = rect.at.x + rect.width - corner;
        const double top = rect.at.y + corner, bottom = rect.at.y + rect.height - corner;
        cairo_new_sub_path(cairo);
        cairo_arc(cairo, right, top, corner, -kQuarter, 0);
        cairo_arc(cairo, right, bottom, corner, 0, kQuarter);
        cairo_arc(cairo, left, bottom, corner, kQuarter, 2 * kQuarter);
        cairo_arc(cairo, left, top, corner, 2 * kQuarter, 3 * kQuarter);
        cairo_close_path(cairo);
    } else {
        cairo_rectangle(cairo, rect.at.x, rect.at.y, rect.width, rect.height);
    }
    paint(cairo, rect.look);
}

void draw(cairo_t* cairo, PangoContext*, const FigurePath& path) {
    for (const FigurePiece& piece : path.pieces) {
        switch (piece.step) {
            case FigureStep::move:
                cairo_move_to(cairo, piece.to.x, piece.to.y);
                break;
            case FigureStep::line:
                cairo_line_to(cairo, piece.to.x, piece.to.y);
                break;
            case FigureStep::curve:
                cairo_curve_to(cairo, piece.a.x, piece.a.y, piece.b.x, piece.b.y, piece.to.x, piece.to.y);
                break;
            case FigureStep::close:
                cairo_close_path(cairo);
                break;
            case FigureStep::box:
                cairo_rectangle(cairo, piece.to.x, piece.to.y, piece.a.x - piece.to.x, piece.a.y - piece.to.y);
                break;
        }
    }
    paint(cairo, path.look);
}

void draw(cairo_t* cairo, PangoContext* context, const FigureText& text) {
    const Handle<PangoFontDescription> font(FigureFonts::describe(text.font, text.size));
    const Handle<PangoLayout> layout(pango_layout_new(context));
    pango_layout_set_font_description(layout.get(), font.get());
    pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
    gchar* valid = g_utf8_make_valid(text.text.data(), static_cast<gssize>(text.text.size()));
    pango_layout_set_text(layout.get(), valid, -1);
    g_free(valid);
    PangoLayoutLine* line = pango_layout_get_line_readonly(layout.get(), 0);
    PangoRectangle logical;  // Pango units, from the pen position on the baseline
    pango_layout_line_get_extents(line, nullptr, &logical);
    const double width = pango_units_to_double(logical.width);
    const double before = text.anchor == FigureAnchor::start    ? 0
                          : text.anchor == FigureAnchor::middle ? width / 2
                                                                : width;
    cairo_save(cairo);
    cairo_translate(cairo, text.at.x, text.at.y);
    cairo_rotate(cairo, text.turn * std::numbers::pi / 180);
    cairo_move_to(cairo, -before, 0);
    use_color(cairo, text.ink);
    pango_cairo_show_layout_line(cairo, line);
    cairo_restore(cairo);
    cairo_new_path(cairo);  // the pen position is no part of the next shape
}

cairo_status_t append(void* bytes, const unsigned char* more, unsigned count) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(more), count);
    return CAIRO_STATUS_SUCCESS;
}

class WholePicture : public PngDrawing {
public:
    WholePicture(Figure figure, double scale) : figure_(std::move(figure)), scale_(scale) {}
    bool advance() override { return true; }
    Result<std::string> take() override { return png_of_figure(figure_, scale_); }

private:
    Figure figure_;
    double scale_;
};

int pixels(double points, double scale) {
    return std::max(1, static_cast<int>(std::lround(points * scale)));
}

}  // namespace

Result<std::string> png_of_figure(const Figure& figure, double scale) {
    ATTN_CHECK(scale > 0, "a picture with ", scale, " pixels a point");
    const int width = pixels(figure.width, scale), height = pixels(figure.height, scale);
    const cairo_format_t format = figure.ground ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32;
    const Surface surface(cairo_image_surface_create(format, width, height));
    const Handle<cairo_t> cairo(cairo_create(surface.get()));
    cairo_set_miter_limit(cairo.get(), kMiterLimit);
    cairo_scale(cairo.get(), scale, scale);
    if (figure.ground) {
        use_color(cairo.get(), *figure.ground);
        cairo_paint(cairo.get());
    }
    const FigureFonts fonts;
    const Handle<PangoContext> context = exact_context(fonts.map());
    pango_cairo_update_context(cairo.get(), context.get());
    for (const FigureElement& element : figure.elements) {
        std::visit([&](const auto& shape) { draw(cairo.get(), context.get(), shape); }, element);
    }
    std::string bytes;
    cairo_status_t status = cairo_status(cairo.get());
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
    if (status == CAIRO_STATUS_SUCCESS) return bytes;
    return Result<std::string>::failure("A picture of " + std::to_string(width) + " × " + std::to_string(height) +
                                        " pixels cannot be drawn: " + cairo_status_to_string(status) + ".");
}

DrawPng Platform::figure_engine() {
    return [](Figure figure, double scale) { return std::make_unique<WholePicture>(std::move(figure), scale); };
}

}  // namespace attn
