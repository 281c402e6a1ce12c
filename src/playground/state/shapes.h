// How large every tensor is for given inputs (core/graph/dims.h): the stages, and what a person may edit.
#pragma once

#include <string>
#include <vector>

#include "core/attention/stages.h"
#include "playground/state/state.h"

namespace attn {

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
bool is_present(const Inputs& inputs, TensorId stage);

// Why these inputs do not have the stage or learned tensor, "bias is off"; empty when they have it.
std::string why_absent(const Inputs& inputs, TensorId tensor);

// The setting that gives a layer the tensor, where it is one that is on or off: &Inputs::bias for b_query; null
// elsewhere.
bool Inputs::* flag_with(TensorId tensor);

// How many matrices a stage is kept in: one for all heads, one a head or one a key head. Matrix n of them is that of
// head first_reader(sizes, stage, n), for a stage is named by a head that reads it.
int num_matrices(const Sizes& sizes, TensorId stage);
int first_reader(const Sizes& sizes, TensorId stage, int n);

// A tensor that a person may edit, for inputs whose sentence has `num_tokens` tokens; biases are one row; queries, keys
// and values are whole, before the cut into heads.
Extent edit_extent(const Inputs& inputs, int num_tokens, TensorId tensor);

}  // namespace attn
