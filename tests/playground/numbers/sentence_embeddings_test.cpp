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
    const std::string settings =
        GENERATE("embed=hash", "embed=ngrams", "embed=torch", "embed=torch&d_in=1", "embed=torch&d_in=5&pos=none",
                 "embed=typed&x=1,2;3,4", "pos=none", "pos=learned&d_in=5", "embed=torch&d_in=3&pos=learned");
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

// python3 -c 'import torch; from torch import nn; torch.manual_seed(123); print(nn.Embedding(2048, 3).weight)' and the
// like, PyTorch 1.13.
TEST_CASE("learned positions are the table that a notebook makes last", "[embeddings][golden]") {
    int num_slices = 0;
    EmbeddingParts parts = by_slices(cat_inputs("d_in=3&pos=learned"), 1000, nullptr, num_slices);
    CHECK(parts.has_learned_positions);
    CHECK(parts.positions.shape(0) == 11);
    CHECK_THAT(parts.positions(0, 0), Catch::Matchers::WithinAbs(0.3373701870, 2e-7));
    CHECK_THAT(parts.positions(1, 2), Catch::Matchers::WithinAbs(0.6603409648, 2e-7));
    CHECK_THAT(parts.positions(5, 2), Catch::Matchers::WithinAbs(-1.0204719305, 2e-7));
    CHECK(add_parts(parts)(1, 2) == parts.token_vectors(1, 2) + parts.positions(1, 2));

    // After nn.Embedding(2, 3), whose six numbers are drawn in another way.
    const Inputs two = read_link("text=a+cat+a+cat+a&d_in=3&embed=torch&pos=learned").state.inputs;
    parts = by_slices(two, 1000, nullptr, num_slices);
    CHECK_THAT(parts.token_vectors(0, 0), Catch::Matchers::WithinAbs(-0.1114671156, 2e-7));
    CHECK_THAT(parts.positions(0, 1), Catch::Matchers::WithinAbs(-0.5515920520, 2e-7));
    CHECK_THAT(parts.positions(1, 0), Catch::Matchers::WithinAbs(1.0076057911, 2e-7));

    // After nn.Embedding(7, 3), whose last 16 numbers are drawn again.
    const Inputs seven = read_link("text=a+b+c+d+e+f+g&d_in=3&embed=torch&embed_seed=5&pos=learned").state.inputs;
    parts = by_slices(seven, 1000, nullptr, num_slices);
    CHECK_THAT(parts.positions(0, 2), Catch::Matchers::WithinAbs(-2.4031350613, 2e-7));
    CHECK_THAT(parts.positions(6, 0), Catch::Matchers::WithinAbs(-0.8208335042, 2e-7));
}

TEST_CASE("the rows of learned positions stay when a text goes on", "[embeddings][property]") {
    int num_slices = 0;
    const Inputs inputs = cat_inputs("d_in=5&pos=learned");
    const Matrix longer = by_slices(inputs, 1000, nullptr, num_slices).positions;
    Inputs cut = inputs;
    cut.texts[0] = "The cat sat";
    const Matrix shorter = by_slices(cut, 1000, nullptr, num_slices).positions;
    for (int i = 0; i < 3; ++i)
        for (int c = 0; c < 5; ++c) CHECK(shorter(i, c) == longer(i, c));
}
