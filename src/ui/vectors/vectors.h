// The vectors view.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// One head in two dimensions: queries and keys as arrows with their angles, and the context vector of one query as the
// chain of its weighted values. Under them the arithmetic and a list of the keys. Never called without tokens.
void draw_vectors(UiFrame& frame);

}  // namespace attn
