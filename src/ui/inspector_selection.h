// The inspector's part for several selected query tokens.
#pragma once

#include "ui/ui.h"

namespace attn {

// Where the selected queries look on average, as bars for each head that is looked at, and the entropy of each one's
// row. There is a selection.
void put_selection(UiFrame& frame);

}  // namespace attn
