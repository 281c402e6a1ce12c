// The vectors of one sentence's tokens, by the embedding the visitor chose. Knows the batch, because nn.Embedding's
// vocabulary is the whole batch's; edits are not its business.
#pragma once

#include "core/embeddings.h"
#include "core/tokens.h"
#include "playground/notes.h"
#include "playground/state.h"

namespace attn {

// Token vectors and positions of sentence `sentence`, whose tokens are `tokens`; T >= 1. Notes say which typed numbers
// are missing (they count as 0) or not in use.
EmbeddingParts make_embedding_parts(const Inputs& inputs, int sentence, const Tokens& tokens, Notes& notes);

// token_vectors + positions: (T, d_in).
Matrix add_parts(const EmbeddingParts& parts);

}  // namespace attn
