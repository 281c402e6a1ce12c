// Matrices and vectors as the attention takes them, and what counts of all tensors.
#include "model/layers/model_weights.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {

Matrix LinearWeights::matrix() const {
    Matrix result = unset<Matrix>(inputs, outputs);
    for (int column = 0; column < outputs; column += kColumnsTogether)
        copy_columns(column, std::min(kColumnsTogether, outputs - column), result);
    return result;
}

void LinearWeights::copy_columns(int first, int count, Matrix& to) const {
    for (int row = 0; row < inputs; ++row) {
        const auto part = row_of(to, row).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
        weight->copy_row(row, first_output + first, part);
    }
}

Vector LinearWeights::bias_vector() const {
    if (bias == nullptr) return {};
    Vector result = unset<Vector>(outputs);
    copy_bias(0, elements(result));
    return result;
}

std::int64_t LinearWeights::bias_number(int output) const {
    return weight->matrix().filed_output(first_output + output);
}

void LinearWeights::copy_bias(int first, std::span<float> numbers) const {
    if (weight->matrix().layout != MatrixLayout::in_groups) return bias->copy(first_output + first, numbers);
    for (float& number : numbers) bias->copy(bias_number(first++), {&number, 1});
}

std::vector<float> NormWeights::weights() const {
    std::vector<float> numbers = numbers_of(weight);
    for (float& number : numbers) number += offset;
    return numbers;
}

bool asks_for_attention(const LayerWeights& layer) {
    bool is_there = true;
    for (const LinearWeights* one : {&layer.query, &layer.key, &layer.value, &layer.out})
        is_there = one->weight->asks_for_all() && is_there;
    return is_there;
}

void ask_for_mlp(const LayerWeights& layer) {
    for (const LinearWeights* one : {&layer.mlp_gate, &layer.mlp_in, &layer.mlp_out})
        if (one->is_there()) one->weight->asks_for_all();
}

std::int64_t num_parameters(const Model& model) {
    std::int64_t sum = 0;
    for (const auto& tensor : model.tensors) sum += tensor->num_numbers();
    return sum;
}

std::vector<std::string> find_not_finite(const Model& model) {
    std::vector<std::string> sentences;
    for (const auto& tensor : model.tensors) {
        const auto [num_nan, num_infinite] = tensor->count_not_finite();
        if (num_nan == 0 && num_infinite == 0) continue;
        sentences.push_back(concat("The tensor ", attn::quoted(tensor->name()), " has ", num_nan, " NaN and ",
                                   num_infinite, " infinite numbers of ", tensor->num_numbers(), "."));
    }
    return sentences;
}

}  // namespace attn
