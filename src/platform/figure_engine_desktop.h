// Figures as PNG files: Cairo draws the shapes, Pango the texts, in the program's own typefaces and the system's for
// the scripts they lack. Needs no screen.
#pragma once

#include "platform/platform.h"

namespace attn {

// The bytes of a PNG file of round(width * scale) by round(height * scale) pixels, at least one; with an alpha channel
// where the figure has no ground. The error is a sentence: a picture that is too large.
Result<std::string> png_of_figure(const Figure& figure, double scale);

}  // namespace attn
