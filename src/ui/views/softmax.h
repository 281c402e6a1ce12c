// view=softmax: what softmax makes of a few numbers, and of the same numbers times a gain.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

void draw_softmax(UiFrame& frame);

}  // namespace attn
