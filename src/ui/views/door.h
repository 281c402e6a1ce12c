// view=door, the opening scene: a sentence, one head's look back, the next word with and without it, and the ways on.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

void draw_door(UiFrame& frame);

}  // namespace attn
