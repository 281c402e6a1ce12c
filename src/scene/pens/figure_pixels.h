// How large a figure may become as pixels: what browsers and Cairo both draw, so that desktop and page make the same
// file.
#pragma once

#include "scene/kit/figure.h"

namespace attn {

inline constexpr int kMaxPicturePixels = 1 << 26;  // 256 MiB while the desktop draws it
inline constexpr int kMaxPictureSide = 16384;      // pixels; browsers' canvases end here

// The largest scale up to `scale` pixels a point at which the figure stays within both. A figure of any size has one.
double scale_that_fits(const Figure& figure, double scale);

}  // namespace attn
