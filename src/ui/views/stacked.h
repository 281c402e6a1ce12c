// view=stacked: heads computed one by one beside heads cut from one matrix.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Each head's own small matrices and its context; then the same numbers as columns of large ones; then the difference.
void draw_stacked(UiFrame& frame);

}  // namespace attn
