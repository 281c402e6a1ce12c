// The learned numbers of a model: which tensor is what. Where they come from is model_load.h's.
#pragma once

#include <cstdint>
#include <memory>
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
};

struct NormWeights {
    const ModelTensor* weight = nullptr;  // (width), or null: 1
    const ModelTensor* bias = nullptr;    // (width), or null: 0
};

struct LayerWeights {
    NormWeights norm_1, norm_2;  // before attention and MLP, or after their sums; norm_2 only with an MLP
    LinearWeights query, key, value, out;
    NormWeights query_norm, key_norm;  // (head_dim)
    LinearWeights mlp_gate;            // of silu_gated
    LinearWeights mlp_in, mlp_out;
};

struct ModelWeights {
    const ModelTensor* token_embedding = nullptr;     // (vocabulary, width)
    const ModelTensor* position_embedding = nullptr;  // (max_positions, width); null with rotary positions
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
