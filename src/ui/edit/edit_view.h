// view=edit: one editable tensor as a table, and beside it a map of what its numbers do.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Fills what is left of the current window.
void draw_edit(UiFrame& frame);

}  // namespace attn
