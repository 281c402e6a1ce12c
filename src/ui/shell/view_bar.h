// The bar of views above the picture, and the view that is on.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// A tab for each view, and "More" for those without room; at the right end the check, the lessons, the way out and, on
// narrow canvases, the way to the settings.
void draw_view_bar(UiFrame& frame);

// The chosen view.
void draw_view(UiFrame& frame);

}  // namespace attn
