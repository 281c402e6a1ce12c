// view=learn: the loss curve, the film strip, and the table of next words.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

void draw_learn(UiFrame& frame);

}  // namespace attn
