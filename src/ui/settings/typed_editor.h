// The table in which embeddings are typed: one row per token, one cell per number; whole blocks can be pasted.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// The setting: a button that opens the table over the picture.
void put_typed_editor(UiFrame& frame);

}  // namespace attn
