// The learned numbers of a model: which tensor is what. Where they come from is model_load.h's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ground/tensor.h"
#include "model/layers/model_config.h"
#include "model/layers/model_store.h"
#include "model/layers/model_tensor.h"

namespace attn {

// x . w + b, a view of one tensor or of some of its columns.
struct LinearWeights {
    const ModelTensor* weight = nullptr;  // null: there is none
    const ModelTensor* bias = nullptr;    // null: nothing is added
    int inputs = 0, outputs = 0;
    int first_output = 0;  // the first column, of those in the tensor

    bool is_there() const { return weight != nullptr; }
    Matrix matrix() const;  // (inputs, outputs)
    // Some columns into their places in such a matrix: at most kColumnsTogether, as whole rows would read from all
    // panels in turn.
    static constexpr int kColumnsTogether = 64;
    void copy_columns(int first, int count, Matrix& to) const;
    Vector bias_vector() const;  // (outputs), or size 0
    // Which number of the bias, in the file's order, is that of an output; some of them, of a bias that is there.
    std::int64_t bias_number(int output) const;
    void copy_bias(int first, std::span<float> numbers) const;
};

struct NormWeights {
    const ModelTensor* weight = nullptr;  // (width), or null: 1
    const ModelTensor* bias = nullptr;    // (width), or null: 0
    float offset = 0;                     // is added to each number of the weight

    bool is_there() const { return weight != nullptr; }
    std::vector<float> weights() const;  // with what is added; none without a weight
};

struct LayerWeights {
    NormWeights norm_1, norm_2;          // of the inputs of attention and MLP, or of the sums with what they add
    NormWeights out_norm_1, out_norm_2;  // of what they add
    LinearWeights query, key, value, out;
    NormWeights query_norm, key_norm;  // (head_dim), or (attention_width) and (kv_width)
    LinearWeights mlp_gate;            // where it is gated
    LinearWeights mlp_in, mlp_out;
};

struct ModelWeights {
    const ModelTensor* token_embedding = nullptr;     // (vocabulary, width)
    const ModelTensor* position_embedding = nullptr;  // (position_rows(), width); null with rotary positions
    const ModelTensor* type_embedding = nullptr;      // (num_token_types, width), or null
    NormWeights embedding_norm;                       // BERT's
    std::vector<LayerWeights> layers;
    NormWeights final_norm;
    LinearWeights head_dense;  // BERT's head: dense, GELU and a norm before the logits; null elsewhere
    NormWeights head_norm;
    LinearWeights unembedding;  // (width, vocabulary); null: the file has no head, so there are no logits
};

// A model that is ready to be computed.
struct Model {
    ModelConfig config;
    ModelWeights weights;
    std::vector<std::unique_ptr<ModelTensor>> tensors;  // each tensor once
    std::unique_ptr<ModelStore> store = nullptr;        // null: all of them are in memory
};

// Whether the numbers of a layer's attention are in memory. Those that are not are asked for: one who waits asks again.
bool asks_for_attention(const LayerWeights& layer);
// Asks for the MLP's, which are next.
void ask_for_mlp(const LayerWeights& layer);

// The numbers that are learned: those of tied embeddings count once.
std::int64_t num_parameters(const Model& model);

// One sentence for each tensor with NaN or infinite numbers, with their count.
std::vector<std::string> find_not_finite(const Model& model);

}  // namespace attn
