// The learned numbers of a model in memory, as its file has them: halves stay halves, and become floats where they are
// computed with. Says which tensor is what; where they come from is model_load.h's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ground/float_buffer.h"
#include "core/ground/tensor.h"
#include "core/kernels/packed_matrix.h"
#include "model/files/tensor_files.h"
#include "model/layers/model_config.h"

namespace attn {

class ModelTensor {
public:
    // Its type is one that is computed. It has no memory yet.
    explicit ModelTensor(const FiledTensor& filed);
    // Memory for its numbers, not set to anything.
    void allocate();

    const FiledTensor& filed() const { return filed_; }
    const std::string& name() const { return filed_.tensor.name; }
    std::int64_t num_numbers() const { return filed_.tensor.num_numbers(); }
    std::size_t num_bytes() const { return num_bytes_; }
    std::span<std::uint8_t> bytes() { return {bytes_.get(), num_bytes_}; }  // once there is memory

    // Numbers `first` to `first + numbers.size()` in memory order.
    void copy(std::int64_t first, std::span<float> numbers) const;

    // The numbers where they are, if they are floats as this machine has them; otherwise null.
    const float* floats() const;

    // How many are NaN or infinite; counted anew at each call.
    struct NotFinite {
        std::int64_t num_nan = 0, num_infinite = 0;
    };
    NotFinite count_not_finite() const;

private:
    FiledTensor filed_;
    std::size_t num_bytes_;
    std::unique_ptr<std::uint8_t[]> bytes_;
};

// All of a tensor's numbers; none of null.
std::vector<float> numbers_of(const ModelTensor* tensor);

// How a file has a matrix that is used as x . w, w (inputs, outputs).
enum class MatrixLayout {
    as_used,     // (inputs, outputs): GPT-2, whose modules are Conv1D
    transposed,  // (outputs, inputs): nn.Linear
    by_head,     // (num_heads, inputs, head_dim): TransformerLens
};

// x . w + b, a view of one tensor or of some of its columns.
struct LinearWeights {
    const ModelTensor* weight = nullptr;  // null: there is none
    const ModelTensor* bias = nullptr;    // null: nothing is added
    MatrixLayout layout = MatrixLayout::transposed;
    int inputs = 0, outputs = 0;
    int first_output = 0;    // the first column, of those in the tensor
    int stored_outputs = 0;  // columns of the tensor
    int head_dim = 0;        // by_head

    bool is_there() const { return weight != nullptr; }
    // The columns `first` to `first + count` as the second factor of products; `scratch` is room for their floats.
    void pack(int first, int count, PackedMatrix& packed, FloatBuffer& scratch) const;
    // The same columns' products with one row x (inputs), without the bias.
    void multiply_row(const float* x, int first, int count, float* out, FloatBuffer& scratch) const;
    Matrix matrix() const;       // (inputs, outputs)
    Vector bias_vector() const;  // (outputs), or size 0

private:
    // Some columns as floats: (inputs, columns), or transposed.
    struct Columns {
        const float* floats;
        std::size_t stride;
        bool is_transposed;
    };
    Columns columns(int first, int count, FloatBuffer& scratch) const;
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
};

// The numbers that are learned and in memory: those of tied embeddings count once.
std::int64_t num_parameters(const Model& model);

// One sentence for each tensor with NaN or infinite numbers, with their count.
std::vector<std::string> find_not_finite(const Model& model);

}  // namespace attn
