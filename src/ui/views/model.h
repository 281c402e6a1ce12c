// view=model: a model of many layers, its heads, the next words and who votes for them.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

void draw_model(UiFrame& frame);

}  // namespace attn
