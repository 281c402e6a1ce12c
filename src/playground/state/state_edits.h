// Edits: single numbers a person changed on top of what the seed gives. Kept sorted, one a cell, so that two states
// with the same edits are equal however they came about.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/attention.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// The tensors a person may edit: x, queries, keys and values, the learned matrices, their biases, the mask.
std::span<const TensorId> editable_tensors();

// Their names in links: "x" for the embeddings, else the tensor's own name.
std::string_view editable_name(TensorId tensor);
std::optional<TensorId> editable_of_name(std::string_view name);

// Whether it is one of the matrices, w_query to w_out, or of their biases.
constexpr bool is_of_projections(TensorId tensor) {
    return tensor >= TensorId::w_query && tensor <= TensorId::b_out;
}

// Whether each sentence of a batch has its own: x, queries, keys, values and the mask.
bool is_of_sentence(TensorId tensor);

// The largest row and column (plus one) that an edit of this tensor may ever name.
struct EditLimits {
    int rows, columns;
};
EditLimits edit_limits(TensorId tensor);

// "w_query[0,1]", "b_query[3]", "x[2,0,1]" (sentence 2; sentence 0 is left out): the cell as links name it.
std::string cell_name(const Edit& edit);

// The edit of that cell of the shown layer, or null. `sentence` is 0 for tensors that all sentences share.
const Edit* find_edit(const Inputs& inputs, TensorId tensor, int sentence, int row, int column);

// Puts `edit` in its place, instead of the one its cell had.
void set_edit(std::vector<Edit>& edits, const Edit& edit);

// Removes the edit of the cell of the shown layer, which gets its number from the seed or the model again; false when
// it had none.
bool remove_edit(Inputs& inputs, TensorId tensor, int sentence, int row, int column);

// Sorts the edits and makes each of them legal: the part of clamp_to_legal that deals with them. Those that name no
// layer become `layer`'s.
Notes clamp_edits(std::vector<Edit>& edits, int layer);

// Puts the edits of sentence `sentence` and those that all sentences share on `problem`. Those that lie outside are
// named in a note; so are rows of the mask that would hide every key, whose own key is shown again (PyTorch gives NaN
// there).
void apply_edits(const Inputs& inputs, int sentence, AttentionProblem& problem, Notes& notes);

// The same of the shown layer of a model, which has them already: the notes alone, those of all layers' edits outside.
void note_layer_edits(const Inputs& inputs, int sentence, int num_tokens, Notes& notes);

}  // namespace attn
