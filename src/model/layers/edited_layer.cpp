// Copies what is edited, as floats in the order that products want.
#include "model/layers/edited_layer.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/ground/check.h"

namespace attn {
namespace {

// The projection that a weight or a bias is of; null for what is neither.
LinearWeights* linear_of(LayerWeights& weights, TensorId tensor) {
    switch (tensor) {
        case TensorId::w_query:
        case TensorId::b_query:
            return &weights.query;
        case TensorId::w_key:
        case TensorId::b_key:
            return &weights.key;
        case TensorId::w_value:
        case TensorId::b_value:
            return &weights.value;
        case TensorId::w_out:
        case TensorId::b_out:
            return &weights.out;
        default:
            return nullptr;
    }
}

}  // namespace

Extent edit_extent(const ModelConfig& config, int num_tokens, TensorId tensor) {
    LayerWeights none;
    const bool is_of_projection = linear_of(none, tensor) != nullptr;
    const bool is_input = tensor == TensorId::embeddings || tensor == TensorId::mask || is_role(tensor);
    const bool is_of_out = tensor == TensorId::w_out || tensor == TensorId::b_out;
    // Where heads and stream differ in width, the output projection is no stage of the attention.
    const bool has_out = config.attention_width() == config.width;
    if ((!is_of_projection && !is_input) || (is_of_out && !has_out)) return {};
    return whole_extent({.num_tokens = num_tokens,
                         .d_in = config.width,
                         .d_out = config.attention_width(),
                         .num_heads = config.num_heads,
                         .num_kv_heads = config.num_kv_heads},
                        tensor);
}

EditedWeights::EditedWeights(const Model& model, int layer, std::span<const LayerEdit> edits)
    : weights_(model.weights.layers[static_cast<std::size_t>(layer)]) {
    for (const LayerEdit& edit : edits) {
        LinearWeights* linear = edit.layer == layer ? linear_of(weights_, edit.tensor) : nullptr;
        if (linear == nullptr) continue;
        ModelTensor& own = is_bias(edit.tensor) ? own_bias(*linear) : own_matrix(*linear);
        own.set(is_bias(edit.tensor) ? 0 : edit.row, edit.column, edit.value);
    }
}

// (rows, columns) as it is used.
ModelTensor& EditedWeights::add_tensor(std::span<const float> numbers, int rows, int columns) {
    own_.push_back(ModelTensor::of_floats(
        "edited", {rows, columns}, FiledMatrix{.layout = MatrixLayout::as_used, .inputs = rows, .outputs = columns},
        numbers));
    return *own_.back();
}

ModelTensor* EditedWeights::own(const ModelTensor* tensor) {
    const auto place = std::ranges::find(own_, tensor, [](const auto& one) { return one.get(); });
    return place == own_.end() ? nullptr : place->get();
}

// Matrix and bias begin at the same column of their tensors, so both become copies.
ModelTensor& EditedWeights::own_matrix(LinearWeights& linear) {
    if (ModelTensor* there = own(linear.weight)) return *there;
    if (linear.bias != nullptr) linear.bias = &add_tensor(elements(linear.bias_vector()), 1, linear.outputs);
    ModelTensor& copy = add_tensor(elements(linear.matrix()), linear.inputs, linear.outputs);
    linear.weight = &copy;
    linear.first_output = 0;
    return copy;
}

ModelTensor& EditedWeights::own_bias(LinearWeights& linear) {
    own_matrix(linear);
    if (ModelTensor* there = own(linear.bias)) return *there;
    ModelTensor& none =
        add_tensor(std::vector<float>(static_cast<std::size_t>(linear.outputs), 0.0F), 1, linear.outputs);
    linear.bias = &none;
    return none;
}

void edit_mask(int layer, std::span<const LayerEdit> edits, Flags& hidden) {
    bool has_edit = false;
    for (const LayerEdit& edit : edits) {
        if (edit.layer != layer || edit.tensor != TensorId::mask) continue;
        hidden(edit.row, edit.column) = edit.value != 0;
        has_edit = true;
    }
    for (int i = 0; has_edit && i < length(hidden, 0); ++i) {
        const auto row = row_of(hidden, i);
        if (std::ranges::find(row, 0) == row.end()) row[static_cast<std::size_t>(i)] = 0;
    }
}

void edit_attention_input(int layer, std::span<const LayerEdit> edits, Matrix& embeddings) {
    for (const LayerEdit& edit : edits) {
        if (edit.layer == layer && edit.tensor == TensorId::embeddings) embeddings(edit.row, edit.column) = edit.value;
    }
}

void edit_roles(int layer, std::span<const LayerEdit> edits, std::vector<TypedNumber>& typed) {
    std::map<std::tuple<TensorId, int, int>, float> wanted;
    for (const LayerEdit& edit : edits) {
        if (edit.layer == layer && is_role(edit.tensor)) wanted[{edit.tensor, edit.row, edit.column}] = edit.value;
    }
    if (wanted.empty()) return;
    for (TypedNumber& number : typed) {
        const auto place = wanted.find({number.role, number.row, number.column});
        if (place == wanted.end()) continue;
        number.value = place->second;
        wanted.erase(place);
    }
    for (const auto& [place, value] : wanted)
        typed.push_back(
            {.role = std::get<0>(place), .row = std::get<1>(place), .column = std::get<2>(place), .value = value});
}

}  // namespace attn
