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
    int num_words = 0;                 // V, goal `next` alone: of the vocabulary
    int num_kv_heads = 0;              // heads of keys and values, as in AttentionSettings: 0, as many as num_heads
    int query_latent = 0, latent = 0;  // widths of the latent vectors; 0: none
    int rope_dim = 0;                  // numbers of a head that are turned alone; 0: none

    int head_dim() const { return d_out / num_heads; }
    int score_dim() const { return head_dim() + rope_dim; }  // what a score is the products of
    int kv_heads() const { return num_kv_heads == 0 ? num_heads : num_kv_heads; }
    int heads_per_kv_head() const { return num_heads / kv_heads(); }
    int kv_width() const { return kv_heads() * head_dim(); }  // columns of keys and values, all heads together
    int query_rows() const { return query_latent == 0 ? d_in : query_latent; }  // of w_query
    int kv_rows() const { return latent == 0 ? d_in : latent; }                 // of w_key and w_value
    bool operator==(const Sizes&) const = default;
};

// Rows and columns of one matrix; 0 x 0 for a tensor that these inputs do not have.
struct Extent {
    int rows = 0;
    int columns = 0;

    bool contains(int row, int column) const { return row >= 0 && row < rows && column >= 0 && column < columns; }
    bool operator==(const Extent&) const = default;
};

// The tokens of one sentence of the batch, at most kMaxTokens: those of the model, where one is open.
Tokens tokens_of(const Inputs& inputs, std::size_t sentence);

// How many these are. Tokenizes the sentence.
int count_tokens(const Inputs& inputs, std::size_t sentence);

// The token that stands where token `index` of the same text stood before it was cut otherwise; nothing where none
// does, as for a token that a model puts before all words.
std::optional<int> same_place(const Tokens& before, int index, const Tokens& after);

// The vocabulary: the distinct tokens of all sentences, in code point order. Tokenizes them.
std::vector<std::string> words_of(const Inputs& inputs);

// `inputs` are legal.
Sizes sizes_of(const Inputs& inputs, int num_tokens);

// What decides which stages there are, of the inputs.
LayerParts layer_parts(const Inputs& inputs);

// Whether X is token vectors plus positions.
constexpr bool adds_positions(const Inputs& inputs) {
    return inputs.positions == Positions::sin || inputs.positions == Positions::learned;
}

// The stages present for these inputs, in order: has_stage (core/attention.h) of the inputs.
std::vector<TensorId> present_stages(const Inputs& inputs);

// What the softmax of these inputs is taken of.
TensorId softmax_source(const Inputs& inputs);
bool is_present(const Inputs& inputs, TensorId stage);

// Whether the tensor belongs to keys or values, whose heads several query heads may share: the stages, their gradients,
// the learned matrices and biases.
constexpr bool is_shared_by_heads(TensorId tensor) {
    return has_kv_heads(tensor) || has_kv_width(tensor);
}

// How many matrices a stage is kept in: one for all heads, one a head or one a key head. Matrix n of them is that of
// head first_reader(sizes, stage, n), for a stage is named by a head that reads it.
int num_matrices(const Sizes& sizes, TensorId stage);
int first_reader(const Sizes& sizes, TensorId stage, int n);

// The letters of the stage's shape: those of the stage table, or "(kv_heads, T, head_dim)" where heads share keys and
// values, "(latent, d_out)" of a matrix that is applied to latents, and rope_dim numbers more of what is turned.
std::string shape_letters(const Sizes& sizes, TensorId stage);

// The matrix of one head of a stage.
Extent stage_extent(const Sizes& sizes, TensorId stage);

// A tensor that a person may edit, for inputs whose sentence has `num_tokens` tokens; biases are one row; queries, keys
// and values are whole, before the cut into heads.
Extent edit_extent(const Inputs& inputs, int num_tokens, TensorId tensor);

}  // namespace attn
