// Token vectors and positions in slices: the same bits as at once, and known positions are taken over.
#include "playground/numbers/sentence_embeddings.h"

#include <catch_amalgamated.hpp>
#include <cstdint>
#include <string>

#include "playground/link/state_url.h"

using namespace attn;

namespace {

Inputs cat_inputs(const std::string& settings) {
    return read_link("text=The+cat+sat+on+the+mat+and+looked+at+the+moon&text=another+cat&" + settings).state.inputs;
}

EmbeddingParts by_slices(const Inputs& inputs, std::int64_t slice, const Matrix* positions, int& num_slices) {
    const Tokens tokens = tokenize(inputs.texts[0], inputs.tokens);
    Notes notes;
    EmbeddingDraw draw(inputs, 0, tokens, notes);
    for (num_slices = 1; !draw.advance(inputs, slice, positions);) ++num_slices;
    return draw.take();
}

}  // namespace

TEST_CASE("embeddings made in slices are those made at once", "[embeddings][property]") {
    const std::string settings = GENERATE("embed=hash", "embed=ngrams", "embed=torch", "embed=torch&d_in=1",
                                          "embed=torch&d_in=5&pos=none", "embed=typed&x=1,2;3,4", "pos=none");
    const std::int64_t slice = GENERATE(1, 7, 50, 100000);
    CAPTURE(settings, slice);
    const Inputs inputs = cat_inputs(settings);
    Notes notes;
    const EmbeddingParts whole = make_embedding_parts(inputs, 0, tokenize(inputs.texts[0], inputs.tokens), notes);
    int num_slices = 0;
    const EmbeddingParts sliced = by_slices(inputs, slice, nullptr, num_slices);
    CHECK((slice > 1 || num_slices >= 11));
    CHECK(sliced.pieces == whole.pieces);
    CHECK(sliced.token_vectors == whole.token_vectors);
    CHECK(sliced.positions == whole.positions);
    CHECK(sliced.seed == whole.seed);
}

TEST_CASE("known positions are taken over as far as they reach", "[embeddings]") {
    const Inputs inputs = cat_inputs("d_in=6");
    Matrix known = sinusoidal_positions(4, 6);
    known(2, 3) = 42;  // to be found again
    int num_slices = 0;
    EmbeddingParts parts = by_slices(inputs, 20, &known, num_slices);
    CHECK(parts.positions(2, 3) == 42);
    CHECK(parts.positions(4, 0) == sinusoidal_positions(11, 6)(4, 0));
    const Matrix other_width = sinusoidal_positions(20, 5);
    parts = by_slices(inputs, 20, &other_width, num_slices);
    CHECK(parts.positions == sinusoidal_positions(11, 6));
}
