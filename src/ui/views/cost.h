// view=cost: what attention takes, as formulas with their values.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// A table: steps down, layouts across; on narrow canvases the layouts stand under each other.
void draw_cost(Display& display);

}  // namespace attn
