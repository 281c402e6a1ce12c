// Scrolling with a finger: a browser scrolls the parts of a page by itself; the canvas must do it for its panels.
#pragma once

#include "ui/frame/canvas.h"

namespace attn {

// Call it at the end of a scrolling window or child: a finger that drags inside it scrolls it, and no longer counts as
// a tap. Does nothing for a mouse, which has a wheel.
void scroll_by_finger(const Canvas& canvas);

}  // namespace attn
