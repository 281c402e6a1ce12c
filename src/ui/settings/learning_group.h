// The settings of training: what for, how, what learns, how far.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// At the cursor: the goal, and where there is one the rest of the recipe. Where the bar under the picture is one line,
// what it has no room for stands here.
void put_learning_rows(UiFrame& frame);

}  // namespace attn
