// What gradients at matrices, biases, latents and embeddings are made of.
#pragma once

#include <vector>

#include "core/explain/explain_parts.h"

namespace attn {

// Of a number of grad_query_latents or grad_latents.
std::vector<Term> latent_gradient_terms(const TraceCells& in, const CellRef& cell);

// Of a number of grad_embeddings.
std::vector<Term> embedding_gradient_terms(const TraceCells& in, const CellRef& cell);

// Adds what the other sentences of a batch have in a gradient at a matrix, bias or sink, as one term.
void add_other_sentences(const TraceCells& in, Explanation& explanation);

// Of a number of a gradient at a matrix or bias: fills in the terms.
void explain_matrix_gradient(const TraceCells& in, Explanation& explanation);

}  // namespace attn
