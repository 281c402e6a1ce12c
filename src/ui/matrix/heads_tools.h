// The line above the maps: whether the heads are put together, and what stands beside each row.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// At the cursor; nothing where the shown stage has neither choice, and on phones, where the settings have them.
void put_heads_tools(UiFrame& frame);

}  // namespace attn
