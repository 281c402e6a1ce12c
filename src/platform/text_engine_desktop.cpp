// Pango lays the string out, Cairo draws it through FreeType into premultiplied ARGB.
#include "platform/text_engine_desktop.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "platform/pango_desktop.h"
#include "platform/pixels_desktop.h"

namespace attn {
namespace {

constexpr float kMaxPixelSize = 512;
constexpr std::size_t kMaxBytes =
    16 * 1024;  // far more than kMaxTextBitmapWidth shows, little enough to lay out at once

// Ink of the first and second try, see rasterize(). Grey has a contrast above 4 : 1 on white and on near-black.
constexpr double kBlack = 0;
constexpr double kGrey = 0.46;

Handle<PangoContext> make_context() {
    const Handle<PangoFontMap> fonts(pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT));
    return exact_context(fonts.get());
}

// Valid UTF-8 of at most kMaxBytes and without the characters that would start a new line.
std::string drawable_line(std::string_view text) {
    const std::string head(text.substr(0, kMaxBytes));
    gchar* valid = g_utf8_make_valid(head.data(), static_cast<gssize>(head.size()));  // also mends a cut character
    std::string line(valid);
    g_free(valid);
    return line;
}

Handle<PangoLayout> lay_out(PangoContext* context, const std::string& line, float pixel_size, bool is_bold) {
    Handle<PangoLayout> layout(pango_layout_new(context));
    const Handle<PangoFontDescription> font(pango_font_description_new());
    pango_font_description_set_family_static(font.get(), "sans-serif");
    pango_font_description_set_weight(font.get(), is_bold ? PANGO_WEIGHT_SEMIBOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font.get(), static_cast<double>(pixel_size) * PANGO_SCALE);
    pango_layout_set_font_description(layout.get(), font.get());
    pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
    // One pixel on either side stays free for rounding.
    pango_layout_set_width(layout.get(), (kMaxTextBitmapWidth - 2) * PANGO_SCALE);
    pango_layout_set_ellipsize(layout.get(), PANGO_ELLIPSIZE_END);
    pango_layout_set_text(layout.get(), line.data(), static_cast<int>(line.size()));
    return layout;
}

// Draws the line in grey level `ink` on nothing, its pen position `x`, `baseline` pixels from the top left corner.
Surface draw(PangoLayoutLine* line, int width, int height, double x, double baseline, double ink) {
    Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
    const Handle<cairo_t> cairo(cairo_create(surface.get()));
    cairo_set_source_rgb(cairo.get(), ink, ink, ink);
    cairo_move_to(cairo.get(), x, baseline);
    pango_cairo_show_layout_line(cairo.get(), line);
    cairo_surface_flush(surface.get());
    return surface;
}

// Whether a picture drawn in black has other colours: only a colour font brings them.
bool has_colors(cairo_surface_t* drawn_in_black, int width, int height) {
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if ((pixel_at(drawn_in_black, x, y) & 0xffffff) != 0) return true;
    return false;
}

TextBitmap rasterize(PangoContext* context, std::string_view text, float pixel_size, bool is_bold) {
    TextBitmap bitmap;
    if (!(pixel_size > 0) || pixel_size > kMaxPixelSize || text.empty())
        return bitmap;  // the first is true for NaN too
    const Handle<PangoLayout> layout = lay_out(context, drawable_line(text), pixel_size, is_bold);
    PangoLayoutLine* line = pango_layout_get_line_readonly(layout.get(), 0);
    PangoRectangle ink, logical;  // Pango units, from the pen position on the baseline
    pango_layout_line_get_extents(line, &ink, &logical);
    bitmap.advance = static_cast<float>(pango_units_to_double(logical.width));
    if (ink.width <= 0 || ink.height <= 0) return bitmap;  // only spaces: the pen moves, nothing is drawn

    const double left = std::floor(pango_units_to_double(ink.x));
    const double top = std::floor(pango_units_to_double(ink.y));
    const double right = std::ceil(pango_units_to_double(ink.x + ink.width));
    const double bottom = std::ceil(pango_units_to_double(ink.y + ink.height));
    bitmap.width = std::min(static_cast<int>(right - left), kMaxTextBitmapWidth);
    bitmap.height = std::min(static_cast<int>(bottom - top), kMaxTextBitmapWidth);  // stacked marks can be very tall
    bitmap.left = static_cast<float>(left);
    bitmap.top = static_cast<float>(-top);

    Surface picture = draw(line, bitmap.width, bitmap.height, -left, -top, kBlack);
    bitmap.is_colored = has_colors(picture.get(), bitmap.width, bitmap.height);
    if (bitmap.is_colored) picture = draw(line, bitmap.width, bitmap.height, -left, -top, kGrey);
    bitmap.rgba = to_rgba(picture.get());
    return bitmap;
}

}  // namespace

RasterizeText start_pango() {
    return [context = std::shared_ptr<PangoContext>(make_context())](std::string_view text, float pixel_size,
                                                                     bool is_bold) {
        return rasterize(context.get(), text, pixel_size, is_bold);
    };
}

}  // namespace attn
