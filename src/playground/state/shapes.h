// How large every tensor is for given inputs: the stages, and what a person may edit. Walks the stage table; holds no
// numbers of its own.
#pragma once

#include <string>
#include <vector>

#include "core/attention/stages.h"
#include "playground/state/state.h"

namespace attn {

// The letters of the shapes.
struct Sizes {
    int num_tokens = 0;  // T; 0 for an empty sentence
    int d_in = 0;
    int d_out = 0;
    int num_heads = 1;
    int num_words = 0;  // V, goal `next` alone: of the vocabulary

    int head_dim() const { return d_out / num_heads; }
    bool operator==(const Sizes&) const = default;
};

// Rows and columns of one matrix; 0 x 0 for a tensor that these inputs do not have.
struct Extent {
    int rows = 0;
    int columns = 0;

    bool contains(int row, int column) const { return row >= 0 && row < rows && column >= 0 && column < columns; }
    bool operator==(const Extent&) const = default;
};

// The tokens of one sentence of the batch, at most kMaxTokens. Tokenizes it.
int count_tokens(const Inputs& inputs, std::size_t sentence);

// The vocabulary: the distinct tokens of all sentences, in code point order. Tokenizes them.
std::vector<std::string> words_of(const Inputs& inputs);

// `inputs` are legal.
Sizes sizes_of(const Inputs& inputs, int num_tokens);

// The stages present for these inputs, in order: has_stage (core/attention.h) of the inputs.
std::vector<TensorId> present_stages(const Inputs& inputs);
bool is_present(const Inputs& inputs, TensorId stage);

// The matrix of one head of a stage.
Extent stage_extent(const Sizes& sizes, TensorId stage);

// A tensor that a person may edit, for inputs whose sentence has `num_tokens` tokens; biases are one row; queries, keys
// and values are whole, before the cut into heads.
Extent edit_extent(const Inputs& inputs, int num_tokens, TensorId tensor);

}  // namespace attn
