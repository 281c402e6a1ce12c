// The table for typed embeddings: one row per token, one cell per number; it takes pasted blocks.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// The setting: a button that opens the table over the picture.
void put_typed_editor(UiFrame& frame);

}  // namespace attn
