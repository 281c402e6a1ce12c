// Scrolling with a finger: what a browser does by itself for the parts of a page, the canvas has to do for its panels.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// To be called at the end of a scrolling window or child: a finger that drags inside it scrolls it, and is then no tap.
// Does nothing for a mouse, which has a wheel.
void scroll_by_finger(const UiFrame& frame);

}  // namespace attn
