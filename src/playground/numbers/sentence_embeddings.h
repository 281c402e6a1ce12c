// The vectors of one sentence's tokens, by the embedding the visitor chose. Knows the batch, because nn.Embedding's
// vocabulary is the whole batch's; edits are not its business.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ground/random.h"
#include "core/words/embeddings.h"
#include "core/words/tokens.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// The tokens' texts, in order.
std::vector<std::string> texts_of(const Tokens& tokens);

// Token vectors and positions of sentence `sentence`, whose tokens are `tokens`; T >= 1. Notes say which typed numbers
// are missing (they count as 0) or not in use.
EmbeddingParts make_embedding_parts(const Inputs& inputs, int sentence, const Tokens& tokens, Notes& notes);

// The same in slices, for texts that take longer than a frame: the same bits whatever the slices are.
class EmbeddingDraw {
public:
    EmbeddingDraw(const Inputs& inputs, int sentence, const Tokens& tokens, Notes& notes);

    // Makes about so many more numbers, at least some, of the inputs it was begun with. Rows of `known_positions`
    // (sinusoidal, any number of them, perhaps of another width; null: none) are taken over. Returns whether all is
    // made.
    bool advance(const Inputs& inputs, std::int64_t num_numbers, const Matrix* known_positions);

    // What was made, once all is. To be called once.
    EmbeddingParts take() { return std::move(parts_); }

private:
    bool draw_table(std::int64_t num_numbers);
    void draw_positions(std::int64_t num_numbers);
    void make_rows(const Inputs& inputs, int first, int end, const Matrix* known_positions);

    std::vector<std::string> texts_;  // of the tokens
    EmbeddingParts parts_;
    int num_rows_made_ = 0;
    // Of nn.Embedding: the batch's distinct tokens, their numbers, and how many of these are drawn.
    std::vector<std::string> vocabulary_;
    Matrix table_;
    TorchGenerator generator_;
    std::size_t num_drawn_ = 0;
#ifndef ATTN_FORWARD_ONLY
    // Of nn.Embedding(kNumLearnedPositions, d_in), which a notebook makes after that of the words: the first rows, to
    // the end of a block of 16 numbers, and how many numbers are drawn.
    std::vector<float> positions_;
    std::size_t num_positions_drawn_ = 0;
#endif
};

// token_vectors + positions: (T, d_in).
Matrix add_parts(const EmbeddingParts& parts);

}  // namespace attn
