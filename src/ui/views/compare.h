// view=compare: two states side by side, with their difference.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// A (what is shown), B (View::compare) and A - B of the shown stage; without a B what could be one.
void draw_compare(UiFrame& frame);

}  // namespace attn
