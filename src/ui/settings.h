// What the settings panel does to the inputs beyond setting one field.
#pragma once

#include "playground/state.h"

namespace attn {

// Writes the token vectors that `kind` gives every sentence into the typed rows, rounded to 4 decimals: so that
// changing from `kind` to typed embeddings loses nothing. Does nothing when something was typed already.
void keep_embeddings_as_typed(Inputs& inputs, EmbeddingKind kind);

}  // namespace attn
