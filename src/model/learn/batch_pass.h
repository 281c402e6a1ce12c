// The loss of a batch of texts and its gradient at every number of the model, fast: float, with the core's kernels, all
// texts of a batch as the rows of one matrix. Its plain twin in double is gradients_reference.h of this room.
//
// Every sum has one order, whatever the processor: the same bits natively and as WebAssembly.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/attention/rotary.h"
#include "core/ground/float_buffer.h"
#include "core/kernels/panels.h"
#include "model/learn/learned_numbers.h"

namespace attn {

// Texts of one length. The word after each token is the next one's; the last id of a text is only ever a next word.
struct TextBatch {
    int num_texts = 0;
    int num_tokens = 0;    // of each text that go in, at most the model's positions
    std::vector<int> ids;  // [num_texts * (num_tokens + 1)], text after text

    std::span<const int> text(int number) const {
        const auto size = static_cast<std::size_t>(num_tokens) + 1;
        return {ids.data() + static_cast<std::size_t>(number) * size, size};
    }
};

class BatchPass {
public:
    explicit BatchPass(const LearnedLayout& layout);

    // The mean over all tokens of -ln(probability of the next token). `gradients` becomes the gradient at each number.
    // Where `batch` is a part of one of `num_texts` texts, its share of that one's gradient.
    double run(std::span<const float> numbers, const TextBatch& batch, std::span<float> gradients, int num_texts = 0);
    // The loss alone.
    double loss(std::span<const float> numbers, const TextBatch& batch);

    // -ln(probability) of the next token at each token of the last run, text after text.
    std::span<const float> token_losses() const { return token_losses_; }

private:
    // Rows that were normed, and what goes back through the norm.
    struct Norm {
        FloatBuffer before_affine;   // (rows, width), of mean 0 (of a layer norm) and mean square 1
        FloatBuffer out;             // (rows, width)
        std::vector<double> scales;  // (rows), 1 / sqrt(variance, or mean square, + eps)
    };
    struct Layer {
        Norm norm_1, norm_2;
        FloatBuffer qkv;         // (rows, 3 width)
        FloatBuffer weights;     // (texts, heads, T, T); 0 above the diagonal
        FloatBuffer context;     // (rows, width)
        FloatBuffer hidden;      // (rows, mlp_width): what goes into the last product
        FloatBuffer slopes;      // (rows, mlp_width): of the activation
        FloatBuffer gates, ups;  // (rows, mlp_width): activated, and what it multiplies; of a gated MLP
    };

    void give_memory(const TextBatch& batch);
    double forward(const TextBatch& batch);
    void forward_layer(std::size_t number);
    void attend_batch(Layer& layer);
    void backward(const TextBatch& batch, std::size_t num_rows_of_all);
    void backward_layer(std::size_t number);
    void attention_back(const Layer& layer);
    double begin_at_logits(const TextBatch& batch);

    // out (rows, outputs) = x (rows, inputs) . w + b, or, with `adds`, plus what out holds. Rows of out lie `stride`
    // apart; 0: outputs.
    void linear(const float* x, const LearnedLinear& by, float* out, bool adds = false, std::size_t stride = 0);
    // Gradients of w and b where `at_out` (rows, outputs) is that of the product with x; rows of it lie `stride` apart.
    void linear_gradients(const float* x, const LearnedLinear& by, const float* at_out, std::size_t stride = 0);
    // at_x (rows, inputs) = at_out (rows, outputs) . w^T, or, with `adds`, plus what at_x holds.
    void through_linear(const float* at_out, const LearnedLinear& by, float* at_x, bool adds = false,
                        std::size_t stride = 0);
    void norm_rows(const float* x, const LearnedNorm& by, Norm& norm);
    // Adds to at_stream_ what goes back through the norm from `at_out`, and makes the gradients of weight and bias.
    void through_norm(const Norm& norm, const float* at_out, const LearnedNorm& by);
    void mlp_batch(const LearnedLayer& at, Layer& layer);
    // From the gradient at the stream to that at the MLP's input, at_width_.
    void mlp_back(const LearnedLayer& at, const Layer& layer);
    // Turns queries and keys, or their gradients back; nothing where positions are learned.
    void turn_rows(float* rows, bool is_back);
    // out (rows of a, columns) = a . what panels_ holds; rows of out lie out_stride apart.
    void multiply_into(const float* a, std::size_t a_stride, std::size_t num_rows, std::size_t columns, float* out,
                       std::size_t out_stride, bool adds = false);

    std::size_t num_rows() const { return texts_ * T_; }

    LearnedLayout layout_;
    std::size_t width_, heads_, head_dim_, mlp_width_, vocabulary_;
    std::size_t texts_ = 0, T_ = 0;
    std::span<const float> numbers_;
    std::span<float> gradients_;

    std::vector<Layer> layers_;
    Norm final_norm_;
    FloatBuffer stream_;                // (rows, width)
    FloatBuffer logits_;                // (rows, vocabulary rounded up to 16), then the gradient there
    FloatBuffer at_stream_, at_width_;  // (rows, width)
    FloatBuffer at_wide_;               // (rows, max of 3 width and mlp_width)
    FloatBuffer at_up_;                 // (rows, mlp_width); of a gated MLP
    FloatBuffer product_, transposed_;  // of any product
    FloatBuffer scores_, square_;       // of one head
    std::vector<float> token_losses_;
    std::vector<Rotation> rotations_;  // at each position; empty where positions are learned
    Panels panels_;
};

// The tangent form of GELU, or SiLU, of each number, and its slope there. In float, by the kernels' exponential.
void gelu_with_slopes(std::span<float> numbers, std::span<float> slopes);
void silu_with_slopes(std::span<float> numbers, std::span<float> slopes);

}  // namespace attn
