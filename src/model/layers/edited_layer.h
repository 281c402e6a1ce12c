// A layer with numbers that somebody changed by hand in their place, for the fast way and the plain one.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "model/layers/layer_edit.h"
#include "model/layers/model_weights.h"

namespace attn {

// Rows and columns of what may be changed, before the cut into heads; 0 where the layers have no such tensor.
Extent edit_extent(const ModelConfig& config, int num_tokens, TensorId tensor);

// The weights of a layer, those of edited matrices and biases in copies of its own; the others stay the model's. A bias
// that the file has not begins with 0.
class EditedWeights {
public:
    // Edits of other layers and of tensors that are no weights do not count here. The others are inside.
    EditedWeights(const Model& model, int layer, std::span<const LayerEdit> edits);

    const LayerWeights& weights() const { return weights_; }

private:
    ModelTensor* own(const ModelTensor* tensor);  // null: it is the model's
    ModelTensor& own_matrix(LinearWeights& linear);
    ModelTensor& own_bias(LinearWeights& linear);
    ModelTensor& add_tensor(std::span<const float> numbers, int rows, int columns);

    LayerWeights weights_;
    std::vector<std::unique_ptr<ModelTensor>> own_;
};

// Writes the edits of these tensors of a layer. The mask: a query that sees no key sees its own again.
void edit_mask(int layer, std::span<const LayerEdit> edits, Flags& hidden);
void edit_attention_input(int layer, std::span<const LayerEdit> edits, Matrix& embeddings);
// Queries, keys and values, in the place of what was typed over the same numbers before.
void edit_roles(int layer, std::span<const LayerEdit> edits, std::vector<TypedNumber>& typed);

}  // namespace attn
