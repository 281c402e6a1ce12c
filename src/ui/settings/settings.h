// The settings: left column or drawer.
#pragma once

#include "playground/state/state.h"
#include "ui/frame/frame.h"

namespace attn {

// Into the current window at the cursor.
void draw_settings(UiFrame& frame);

// Writes the token vectors that `kind` gives every sentence into the typed rows, rounded to 4 decimals, so a change
// from `kind` to typed embeddings loses nothing. Does nothing if rows were typed already.
void keep_embeddings_as_typed(Inputs& inputs, EmbeddingKind kind);

}  // namespace attn
