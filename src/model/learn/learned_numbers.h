// The numbers of a model that is being trained, as floats in one row: GPT-2's architecture and the names of its files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ground/result.h"
#include "model/layers/model_weights.h"

namespace attn {

struct LearnedShape {
    int vocabulary = 0;
    int positions = 0;
    int width = 0;  // a multiple of num_heads
    int num_layers = 0;
    int num_heads = 0;
    int mlp_width = 0;
    int beginning = 0;  // the token that stands before each text
    double norm_eps = 1e-5;

    int head_dim() const { return width / num_heads; }
    bool operator==(const LearnedShape&) const = default;
};

// One tensor: numbers `begin` to `begin + size` of the row, in memory order.
struct LearnedTensor {
    std::string name;                 // as GPT-2's files have it: "h.0.attn.c_attn.weight"
    std::vector<std::int64_t> shape;  // matrices are (inputs, outputs)
    std::size_t begin = 0, size = 0;
    bool is_matrix() const { return shape.size() == 2; }  // AdamW's weight decay is for them alone
};

// Where each tensor of a layer begins in the row.
struct LearnedLayer {
    std::size_t norm_1_weight, norm_1_bias;  // (width)
    std::size_t qkv_weight, qkv_bias;        // (width, 3 width): queries, keys, values side by side
    std::size_t out_weight, out_bias;        // (width, width)
    std::size_t norm_2_weight, norm_2_bias;
    std::size_t mlp_in_weight, mlp_in_bias;    // (width, mlp_width)
    std::size_t mlp_out_weight, mlp_out_bias;  // (mlp_width, width)
};

class LearnedLayout {
public:
    explicit LearnedLayout(const LearnedShape& shape);

    const LearnedShape& shape() const { return shape_; }
    std::size_t num_numbers() const { return num_numbers_; }
    std::span<const LearnedTensor> tensors() const { return tensors_; }
    const LearnedTensor* find(std::string_view name) const;  // null: there is none

    std::size_t token_embedding = 0;     // (vocabulary, width); the logits' matrix, too
    std::size_t position_embedding = 0;  // (positions, width)
    std::vector<LearnedLayer> layers;
    std::size_t final_norm_weight = 0, final_norm_bias = 0;

private:
    std::size_t add(std::string name, std::vector<std::int64_t> shape);

    LearnedShape shape_;
    std::vector<LearnedTensor> tensors_;
    std::size_t num_numbers_ = 0;
};

// The numbers before the first step. Token and position embeddings are normal with this deviation; matrices are uniform
// up to 1 / sqrt(inputs), as nn.Linear's are; biases 0, norms' weights 1. Drawn in the order of the tensors by
// PyTorch's generator.
std::vector<float> first_numbers(const LearnedLayout& layout, double embedding_deviation, std::uint64_t seed);

// config.json of such a model.
std::string config_json(const LearnedShape& shape);

// model.safetensors: all tensors as F32 or, rounded to the nearest half, F16.
std::string tensors_file(const LearnedLayout& layout, std::span<const float> numbers, std::string_view type);

// The same numbers as a model that computes, through the file's bytes.
Result<Model> model_of_numbers(const LearnedLayout& layout, std::span<const float> numbers, std::string_view type);

// The numbers of a model, widened; the layout is that of its config. Fails with a sentence for models of another kind.
Result<std::vector<float>> numbers_of_model(const LearnedLayout& layout, const Model& model);

}  // namespace attn
