// What text and figures on the desktop share: owners of what Cairo and Pango make, and where glyphs stand.
#pragma once

#include <pango/pangocairo.h>

#include <memory>

namespace attn {

struct FreePango {
    void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
    void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
    void operator()(PangoContext* context) const { g_object_unref(context); }
    void operator()(PangoFontMap* fonts) const { g_object_unref(fonts); }
    void operator()(PangoLayout* layout) const { g_object_unref(layout); }
    void operator()(PangoFontDescription* font) const { pango_font_description_free(font); }
};
template <class Object>
using Handle = std::unique_ptr<Object, FreePango>;

// A context whose glyphs stand where the layout puts them, to a fraction of a pixel, with the same look on every
// machine.
Handle<PangoContext> exact_context(PangoFontMap* fonts);

}  // namespace attn
