// Linear maps, norms and the activation on all rows of a batch; heads are in batch_attention.cpp.
#include "model/learn/batch_pass.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "core/ground/portable_math.h"
#include "core/kernels/simd_kernels.h"
#include "model/layers/activations.h"

namespace attn {
namespace {

void want_room(FloatBuffer& buffer, std::size_t count) {
    require_memory(buffer.reserve(count));
}

// to(c, r) = from(r, c), in squares: a column of `from` is a cache line a number.
void transpose_block(const float* from, std::size_t stride, std::size_t rows, std::size_t columns, float* to) {
    constexpr std::size_t kSide = 16;
    for (std::size_t top = 0; top < rows; top += kSide) {
        const std::size_t bottom = std::min(top + kSide, rows);
        for (std::size_t left = 0; left < columns; left += kSide) {
            const std::size_t right = std::min(left + kSide, columns);
            for (std::size_t c = left; c < right; ++c) {
                for (std::size_t r = top; r < bottom; ++r) to[c * rows + r] = from[r * stride + c];
            }
        }
    }
}

// sums += each row.
void add_all_rows(const float* rows, std::size_t num_rows, std::size_t width, std::size_t stride, float* sums) {
    for (std::size_t i = 0; i < num_rows; ++i, rows += stride) {
        for (std::size_t c = 0; c < width; ++c) sums[c] += rows[c];
    }
}

}  // namespace

// With u = sqrt(2 / pi) (x + 0.044715 x^3), GELU is x s, s = 1 / (1 + e^(-2u)), and its slope s + x s (1 - s) 2u'.
void gelu_with_slopes(std::span<float> numbers, std::span<float> slopes) {
    constexpr float kTwiceRoot = 1.5957691216F;  // 2 sqrt(2 / pi)
    constexpr float kCubic = 0.044715F;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const float x = numbers[i];
        slopes[i] = -std::abs(kTwiceRoot * (x + kCubic * x * x * x));
    }
    simd::kernels().exp_nonpositive(slopes.data(), slopes.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const float x = numbers[i];
        const float far = 1 / (1 + slopes[i]), near = slopes[i] / (1 + slopes[i]);
        const float s = x < 0 ? near : far;
        const float at_u = kTwiceRoot * (1 + 3 * kCubic * x * x);
        numbers[i] = x * s;
        slopes[i] = s + x * (far * near) * at_u;
    }
}

// SiLU is x s, s = 1 / (1 + e^-x), and its slope s + x s (1 - s).
void silu_with_slopes(std::span<float> numbers, std::span<float> slopes) {
    for (std::size_t i = 0; i < numbers.size(); ++i) slopes[i] = -std::abs(numbers[i]);
    simd::kernels().exp_nonpositive(slopes.data(), slopes.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const float x = numbers[i];
        const float far = 1 / (1 + slopes[i]), near = slopes[i] / (1 + slopes[i]);
        const float s = x < 0 ? near : far;
        numbers[i] = x * s;
        slopes[i] = s + x * (far * near);
    }
}

BatchPass::BatchPass(const LearnedLayout& layout)
    : layout_(layout),
      width_(static_cast<std::size_t>(layout.shape().width)),
      heads_(static_cast<std::size_t>(layout.shape().num_heads)),
      head_dim_(static_cast<std::size_t>(layout.shape().head_dim())),
      mlp_width_(static_cast<std::size_t>(layout.shape().mlp_width)),
      vocabulary_(static_cast<std::size_t>(layout.shape().vocabulary)),
      layers_(layout.layers.size()) {
    if (layout.position_embedding) return;
    for (int i = 0; i < layout.shape().positions; ++i)
        rotations_.push_back(rotation_at(i, layout.shape().head_dim(), layout.shape().rope_base));
}

double BatchPass::run(std::span<const float> numbers, const TextBatch& batch, std::span<float> gradients,
                      int num_texts) {
    ATTN_CHECK(gradients.size() == layout_.num_numbers(), gradients.size(), " gradients, want ", layout_.num_numbers());
    const double loss = this->loss(numbers, batch);
    gradients_ = gradients;
    std::fill(gradients.begin(), gradients.end(), 0.0F);
    backward(batch, num_texts > 0 ? static_cast<std::size_t>(num_texts) * T_ : num_rows());
    return loss;
}

double BatchPass::loss(std::span<const float> numbers, const TextBatch& batch) {
    ATTN_CHECK(numbers.size() == layout_.num_numbers(), numbers.size(), " numbers, want ", layout_.num_numbers());
    numbers_ = numbers;
    give_memory(batch);
    return forward(batch);
}

void BatchPass::give_memory(const TextBatch& batch) {
    ATTN_CHECK(batch.num_texts > 0 && batch.num_tokens > 0 && batch.num_tokens <= layout_.shape().positions,
               batch.num_texts, " texts of ", batch.num_tokens, " tokens");
    const auto texts = static_cast<std::size_t>(batch.num_texts), T = static_cast<std::size_t>(batch.num_tokens);
    ATTN_CHECK(batch.ids.size() == texts * (T + 1), batch.ids.size(), " ids, want ", texts * (T + 1));
    for (const int id : batch.ids) ATTN_CHECK(id >= 0 && id < layout_.shape().vocabulary, "token ", id);
    if (texts == texts_ && T == T_) return;
    texts_ = texts;
    T_ = T;
    const std::size_t rows = num_rows();
    for (Norm* norm : {&final_norm_}) {
        want_room(norm->before_affine, rows * width_);
        want_room(norm->out, rows * width_);
        norm->scales.resize(rows);
    }
    const bool is_gated = !layout_.layers.empty() && layout_.layers.front().mlp_up.has_value();
    for (Layer& layer : layers_) {
        for (Norm* norm : {&layer.norm_1, &layer.norm_2}) {
            want_room(norm->before_affine, rows * width_);
            want_room(norm->out, rows * width_);
            norm->scales.resize(rows);
        }
        want_room(layer.qkv, rows * 3 * width_);
        want_room(layer.weights, texts * heads_ * T * T);
        std::fill_n(layer.weights.data(), texts * heads_ * T * T, 0.0F);
        want_room(layer.context, rows * width_);
        want_room(layer.hidden, rows * mlp_width_);
        want_room(layer.slopes, rows * mlp_width_);
        want_room(layer.gates, is_gated ? rows * mlp_width_ : 0);
        want_room(layer.ups, is_gated ? rows * mlp_width_ : 0);
    }
    want_room(at_up_, is_gated ? rows * mlp_width_ : 0);
    want_room(stream_, rows * width_);
    want_room(logits_, rows * ((vocabulary_ + 15) / 16 * 16));
    want_room(at_stream_, rows * width_);
    want_room(at_width_, rows * width_);
    want_room(at_wide_, rows * std::max(3 * width_, mlp_width_));
    token_losses_.resize(rows);
}

void BatchPass::multiply_into(const float* a, std::size_t a_stride, std::size_t num_rows, std::size_t columns,
                              float* out, std::size_t out_stride, bool adds) {
    const std::size_t stride = panels_.row_stride();
    if (!adds && stride == columns && out_stride == columns) return panels_.multiply(a, a_stride, num_rows, out);
    // How far rows lie apart differs between processors, so a sum that begins with what out holds would, too.
    want_room(product_, num_rows * stride);
    panels_.multiply(a, a_stride, num_rows, product_.data());
    for (std::size_t i = 0; i < num_rows; ++i) {
        const float* from = product_.data() + i * stride;
        float* to = out + i * out_stride;
        for (std::size_t c = 0; c < columns; ++c) to[c] = adds ? to[c] + from[c] : from[c];
    }
}

void BatchPass::linear(const float* x, const LearnedLinear& by, float* out, bool adds, std::size_t stride) {
    const std::size_t outputs = by.outputs, apart = stride == 0 ? outputs : stride;
    if (by.is_by_outputs)
        panels_.pack_transposed(numbers_.data() + by.weight, by.inputs, by.inputs, outputs);
    else
        panels_.pack(numbers_.data() + by.weight, outputs, by.inputs, outputs);
    if (!by.bias) return multiply_into(x, by.inputs, num_rows(), outputs, out, apart, adds);
    want_room(transposed_, num_rows() * outputs);
    float* product = adds ? transposed_.data() : out;
    const std::size_t product_apart = adds ? outputs : apart;
    multiply_into(x, by.inputs, num_rows(), outputs, product, product_apart);
    const float* b = numbers_.data() + *by.bias;
    for (std::size_t i = 0; i < num_rows(); ++i, product += product_apart, out += apart) {
        for (std::size_t c = 0; c < outputs; ++c) {
            const float y = product[c] + b[c];
            out[c] = adds ? out[c] + y : y;
        }
    }
}

void BatchPass::linear_gradients(const float* x, const LearnedLinear& by, const float* at_out, std::size_t stride) {
    const std::size_t apart = stride == 0 ? by.outputs : stride;
    float* at_w = gradients_.data() + by.weight;
    if (by.is_by_outputs) {
        want_room(transposed_, num_rows() * by.outputs);
        transpose_block(at_out, apart, num_rows(), by.outputs, transposed_.data());
        panels_.pack(x, by.inputs, num_rows(), by.inputs);
        multiply_into(transposed_.data(), num_rows(), by.outputs, by.inputs, at_w, by.inputs);
    } else {
        want_room(transposed_, num_rows() * by.inputs);
        transpose_block(x, by.inputs, num_rows(), by.inputs, transposed_.data());
        panels_.pack(at_out, apart, num_rows(), by.outputs);
        multiply_into(transposed_.data(), num_rows(), by.inputs, by.outputs, at_w, by.outputs);
    }
    if (by.bias) add_all_rows(at_out, num_rows(), by.outputs, apart, gradients_.data() + *by.bias);
}

void BatchPass::through_linear(const float* at_out, const LearnedLinear& by, float* at_x, bool adds,
                               std::size_t stride) {
    if (by.is_by_outputs)
        panels_.pack(numbers_.data() + by.weight, by.inputs, by.outputs, by.inputs);
    else
        panels_.pack_transposed(numbers_.data() + by.weight, by.outputs, by.outputs, by.inputs);
    multiply_into(at_out, stride == 0 ? by.outputs : stride, num_rows(), by.inputs, at_x, by.inputs, adds);
}

void BatchPass::norm_rows(const float* x, const LearnedNorm& by, Norm& norm) {
    const float *w = numbers_.data() + by.weight, *b = by.bias ? numbers_.data() + *by.bias : nullptr;
    for (std::size_t i = 0; i < num_rows(); ++i) {
        const NormScale scale = norm_scale(by.kind(), {x + i * width_, width_}, layout_.shape().norm_eps);
        norm.scales[i] = scale.scale;
        float *plain = norm.before_affine.data() + i * width_, *out = norm.out.data() + i * width_;
        for (std::size_t c = 0; c < width_; ++c) {
            plain[c] = static_cast<float>((static_cast<double>(x[i * width_ + c]) - scale.mean) * scale.scale);
            out[c] = b != nullptr ? plain[c] * w[c] + b[c] : plain[c] * w[c];
        }
    }
}

// With n the row before weight and bias and g its gradient, the row's is scale * (g - mean(g) - n * mean(g n)); of an
// RMS norm without mean(g).
void BatchPass::through_norm(const Norm& norm, const float* at_out, const LearnedNorm& by) {
    const float* w = numbers_.data() + by.weight;
    float *at_w = gradients_.data() + by.weight, *at_b = by.bias ? gradients_.data() + *by.bias : nullptr;
    const auto size = static_cast<double>(width_);
    for (std::size_t i = 0; i < num_rows(); ++i) {
        const float *n = norm.before_affine.data() + i * width_, *at = at_out + i * width_;
        double sum = 0, sum_of_products = 0;
        for (std::size_t c = 0; c < width_; ++c) {
            const double g = static_cast<double>(at[c] * w[c]);
            sum += g;
            sum_of_products += g * static_cast<double>(n[c]);
        }
        const float mean = at_b != nullptr ? static_cast<float>(sum / size) : 0;
        const auto slope = static_cast<float>(sum_of_products / size);
        const auto scale = static_cast<float>(norm.scales[i]);
        float* to = at_stream_.data() + i * width_;
        for (std::size_t c = 0; c < width_; ++c) {
            at_w[c] += at[c] * n[c];
            if (at_b != nullptr) at_b[c] += at[c];
            to[c] += scale * (at[c] * w[c] - mean - n[c] * slope);
        }
    }
}

void BatchPass::turn_rows(float* rows, bool is_back) {
    if (rotations_.empty()) return;
    for (std::size_t i = 0; i < num_rows(); ++i) {
        for (std::size_t h = 0; h < 2 * heads_; ++h) {  // queries, then keys
            const std::span<float> head(rows + i * 3 * width_ + h * head_dim_, head_dim_);
            if (is_back)
                rotate_back(RotaryPairs::halves, rotations_[i % T_], head);
            else
                rotate(RotaryPairs::halves, rotations_[i % T_], head);
        }
    }
}

void BatchPass::mlp_batch(const LearnedLayer& at, Layer& layer) {
    const std::size_t size = num_rows() * mlp_width_;
    if (!at.mlp_up) {
        linear(layer.norm_2.out.data(), at.mlp_in, layer.hidden.data());
        gelu_with_slopes({layer.hidden.data(), size}, {layer.slopes.data(), size});
    } else {
        linear(layer.norm_2.out.data(), at.mlp_in, layer.gates.data());
        linear(layer.norm_2.out.data(), *at.mlp_up, layer.ups.data());
        silu_with_slopes({layer.gates.data(), size}, {layer.slopes.data(), size});
        for (std::size_t k = 0; k < size; ++k) layer.hidden.data()[k] = layer.gates.data()[k] * layer.ups.data()[k];
    }
    linear(layer.hidden.data(), at.mlp_out, stream_.data(), true);
}

void BatchPass::mlp_back(const LearnedLayer& at, const Layer& layer) {
    linear_gradients(layer.hidden.data(), at.mlp_out, at_stream_.data());
    through_linear(at_stream_.data(), at.mlp_out, at_wide_.data());
    float* at_hidden = at_wide_.data();
    for (std::size_t k = 0; k < num_rows() * mlp_width_; ++k) {
        if (at.mlp_up) {
            at_up_.data()[k] = at_hidden[k] * layer.gates.data()[k];
            at_hidden[k] *= layer.ups.data()[k];
        }
        at_hidden[k] *= layer.slopes.data()[k];
    }
    linear_gradients(layer.norm_2.out.data(), at.mlp_in, at_hidden);
    through_linear(at_hidden, at.mlp_in, at_width_.data());
    if (!at.mlp_up) return;
    linear_gradients(layer.norm_2.out.data(), *at.mlp_up, at_up_.data());
    through_linear(at_up_.data(), *at.mlp_up, at_width_.data(), true);
}

void BatchPass::forward_layer(std::size_t number) {
    const LearnedLayer& at = layout_.layers[number];
    Layer& layer = layers_[number];
    norm_rows(stream_.data(), at.norm_1, layer.norm_1);
    float* part = layer.qkv.data();
    for (const LearnedLinear& one : at.qkv) {
        linear(layer.norm_1.out.data(), one, part, false, 3 * width_);
        part += one.outputs;
    }
    turn_rows(layer.qkv.data(), false);
    attend_batch(layer);
    linear(layer.context.data(), at.out, stream_.data(), true);
    norm_rows(stream_.data(), at.norm_2, layer.norm_2);
    mlp_batch(at, layer);
}

// at_stream_ is the gradient at what goes out of the layer, and becomes that at what comes in.
void BatchPass::backward_layer(std::size_t number) {
    const LearnedLayer& at = layout_.layers[number];
    const Layer& layer = layers_[number];
    mlp_back(at, layer);
    through_norm(layer.norm_2, at_width_.data(), at.norm_2);

    linear_gradients(layer.context.data(), at.out, at_stream_.data());
    through_linear(at_stream_.data(), at.out, at_width_.data());
    attention_back(layer);
    turn_rows(at_wide_.data(), true);
    const float* part = at_wide_.data();
    for (const LearnedLinear& one : at.qkv) {
        linear_gradients(layer.norm_1.out.data(), one, part, 3 * width_);
        through_linear(part, one, at_width_.data(), part != at_wide_.data(), 3 * width_);
        part += one.outputs;
    }
    through_norm(layer.norm_1, at_width_.data(), at.norm_1);
}

double BatchPass::forward(const TextBatch& batch) {
    const float* positions = layout_.position_embedding ? numbers_.data() + *layout_.position_embedding : nullptr;
    for (int text = 0; text < batch.num_texts; ++text) {
        const std::span<const int> ids = batch.text(text);
        for (std::size_t i = 0; i < T_; ++i) {
            const float* token = numbers_.data() + layout_.token_embedding + static_cast<std::size_t>(ids[i]) * width_;
            float* to = stream_.data() + (static_cast<std::size_t>(text) * T_ + i) * width_;
            for (std::size_t c = 0; c < width_; ++c)
                to[c] = positions != nullptr ? token[c] + positions[i * width_ + c] : token[c];
        }
    }
    for (std::size_t number = 0; number < layers_.size(); ++number) forward_layer(number);
    norm_rows(stream_.data(), layout_.final_norm, final_norm_);
    return begin_at_logits(batch);
}

// Leaves in logits_ the gradient there: (probability - 1 where it is the next token) / rows.
double BatchPass::begin_at_logits(const TextBatch& batch) {
    const std::size_t room = (vocabulary_ + 15) / 16 * 16;
    panels_.pack_transposed(numbers_.data() + layout_.token_embedding, width_, width_, vocabulary_);
    multiply_into(final_norm_.out.data(), width_, num_rows(), vocabulary_, logits_.data(), room);
    double loss = 0;
    for (std::size_t row = 0; row < num_rows(); ++row) {
        float* logits = logits_.data() + row * room;
        const auto next = static_cast<std::size_t>(batch.text(static_cast<int>(row / T_))[row % T_ + 1]);
        const auto largest = static_cast<std::size_t>(std::max_element(logits, logits + vocabulary_) - logits);
        const double below = static_cast<double>(logits[next]) - static_cast<double>(logits[largest]);
        simd::kernels().softmax({logits, room, logits, room, room}, &vocabulary_, 1, 1);
        const double token_loss = -(below + portable::log(static_cast<double>(logits[largest])));
        token_losses_[row] = static_cast<float>(token_loss);
        loss += token_loss;
        logits[next] -= 1;
    }
    return loss / static_cast<double>(num_rows());
}

void BatchPass::backward(const TextBatch& batch, std::size_t num_rows_of_all) {
    const std::size_t room = (vocabulary_ + 15) / 16 * 16;
    const auto count = static_cast<float>(num_rows_of_all);
    for (std::size_t row = 0; row < num_rows(); ++row) {
        for (std::size_t v = 0; v < vocabulary_; ++v) logits_.data()[row * room + v] /= count;
    }
    // The logits are the final rows times the transposed embeddings.
    want_room(transposed_, num_rows() * vocabulary_);
    transpose_block(logits_.data(), room, num_rows(), vocabulary_, transposed_.data());
    panels_.pack(final_norm_.out.data(), width_, num_rows(), width_);
    multiply_into(transposed_.data(), num_rows(), vocabulary_, width_, gradients_.data() + layout_.token_embedding,
                  width_);
    panels_.pack(numbers_.data() + layout_.token_embedding, width_, vocabulary_, width_);
    multiply_into(logits_.data(), room, num_rows(), width_, at_width_.data(), width_);
    std::fill_n(at_stream_.data(), num_rows() * width_, 0.0F);
    through_norm(final_norm_, at_width_.data(), layout_.final_norm);
    for (std::size_t number = layers_.size(); number-- > 0;) backward_layer(number);
    for (std::size_t row = 0; row < num_rows(); ++row) {
        const auto id = static_cast<std::size_t>(batch.text(static_cast<int>(row / T_))[row % T_]);
        const float* at = at_stream_.data() + row * width_;
        float* token = gradients_.data() + layout_.token_embedding + id * width_;
        for (std::size_t c = 0; c < width_; ++c) token[c] += at[c];
        if (!layout_.position_embedding) continue;
        float* position = gradients_.data() + *layout_.position_embedding + row % T_ * width_;
        for (std::size_t c = 0; c < width_; ++c) position[c] += at[c];
    }
}

}  // namespace attn
