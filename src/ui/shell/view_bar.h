// The bar of views above the picture, and the view that is on.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// At the cursor, at most `width` wide: a tab for each view, and "More" for those without room.
void put_view_tabs(UiFrame& frame, float width);

// The chosen view.
void draw_view(UiFrame& frame);

}  // namespace attn
