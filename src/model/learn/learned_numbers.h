// The numbers of a model that is being trained, as floats in one row: GPT-2's kind or Llama's, with the names of its
// files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ground/result.h"
#include "model/layers/model_weights.h"

namespace attn {

struct LearnedShape {
    ModelKind kind = ModelKind::gpt2;  // or llama, with as many key heads as heads
    int vocabulary = 0;
    int positions = 0;
    int width = 0;  // a multiple of num_heads
    int num_layers = 0;
    int num_heads = 0;
    int mlp_width = 0;
    int beginning = 0;  // the token that stands before each text
    double norm_eps = 1e-5;
    double rope_base = 10000;  // llama

    int head_dim() const { return width / num_heads; }
    bool operator==(const LearnedShape&) const = default;
};

// One tensor: numbers `begin` to `begin + size` of the row, in memory order.
struct LearnedTensor {
    std::string name;  // as the kind's files have it: "h.0.attn.c_attn.weight"
    std::vector<std::int64_t> shape;
    std::size_t begin = 0, size = 0;
    bool is_matrix() const { return shape.size() == 2; }  // AdamW's weight decay is for them alone
};

// x . w, plus b where there is one: where they begin in the row, and how w lies.
struct LearnedLinear {
    std::size_t inputs = 0, outputs = 0;
    std::size_t weight = 0;
    bool is_by_outputs = false;       // (outputs, inputs), as nn.Linear's, or (inputs, outputs), as GPT-2's
    std::optional<std::size_t> bias;  // (outputs)

    std::size_t at(std::size_t input, std::size_t output) const {
        return weight + (is_by_outputs ? output * inputs + input : input * outputs + output);
    }
};

// A layer norm, or an RMS norm where there is no bias.
struct LearnedNorm {
    std::size_t weight = 0;           // (width)
    std::optional<std::size_t> bias;  // (width)

    NormKind kind() const { return bias ? NormKind::layer : NormKind::rms; }
};

struct LearnedLayer {
    LearnedNorm norm_1, norm_2;
    std::vector<LearnedLinear> qkv;  // in one product or in three: queries, keys, values side by side
    LearnedLinear out;
    LearnedLinear mlp_in;                 // to GELU, or to the gate's SiLU
    std::optional<LearnedLinear> mlp_up;  // what the gate multiplies; nothing: there is no gate
    LearnedLinear mlp_out;
};

class LearnedLayout {
public:
    explicit LearnedLayout(const LearnedShape& shape);

    const LearnedShape& shape() const { return shape_; }
    std::size_t num_numbers() const { return num_numbers_; }
    std::span<const LearnedTensor> tensors() const { return tensors_; }
    const LearnedTensor* find(std::string_view name) const;  // null: there is none

    std::size_t token_embedding = 0;                // (vocabulary, width); the logits' matrix, too
    std::optional<std::size_t> position_embedding;  // (positions, width); nothing: queries and keys are turned
    std::vector<LearnedLayer> layers;
    LearnedNorm final_norm;

private:
    void add_gpt2();
    void add_llama();
    std::size_t add(std::string name, std::vector<std::int64_t> shape);
    LearnedNorm add_norm(const std::string& name, bool has_bias);
    LearnedLinear add_linear(const std::string& name, int inputs, int outputs, bool is_nn_linear);

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
