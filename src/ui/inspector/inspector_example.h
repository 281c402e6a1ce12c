// The empty panel: what one click gives.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// One number of the shown stage with its arithmetic, and a link that pins it. At the cursor; nothing where numbers are
// hidden, blank or of all heads together.
void put_example(UiFrame& frame);

}  // namespace attn
