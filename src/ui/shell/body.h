// Everything under the stage strip: settings, picture and explanation, side by side, in a drawer, or as a sheet.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Fills what is left of the canvas.
void draw_body(UiFrame& frame);

}  // namespace attn
