// The fonts that are built into the program, for Pango: it finds fonts through files only.
#pragma once

#include <pango/pango.h>

#include <string>

#include "scene/kit/figure.h"

namespace attn {

// The typefaces of one picture. Where no file can be written the system's sans and monospace stand in.
class FigureFonts {
public:
    FigureFonts();
    ~FigureFonts();  // the files are gone
    FigureFonts(const FigureFonts&) = delete;
    FigureFonts& operator=(const FigureFonts&) = delete;

    PangoFontMap* map() const { return map_; }

    // The caller frees it. `size` points an em.
    static PangoFontDescription* describe(FigureFont font, double size);

private:
    std::string folder_;  // of the files; empty: there is none
    PangoFontMap* map_ = nullptr;
};

}  // namespace attn
