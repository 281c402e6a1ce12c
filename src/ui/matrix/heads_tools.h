// The line above the maps: whether heads are combined, which number stands beside each row, and the brush for targets.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// At the cursor. Draws nothing if the shown stage has neither choice, or on phones, whose settings have them.
void put_heads_tools(UiFrame& frame);

}  // namespace attn
