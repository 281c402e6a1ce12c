// The inspector's words for a cell of all heads together.
#pragma once

#include "ui/ui.h"

namespace attn {

// Where the mean, or the largest number, of the heads comes from: the cells of the heads, each of which can be chosen.
// The stage can be combined and holds the cell.
void put_combined(UiFrame& frame, const Cell& cell);

}  // namespace attn
