// The heads of a batch, one after the other: what core/learn/gradients.h does for one problem with all its settings,
// here for many short texts, causal, all heads alike.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ground/memory_room.h"
#include "core/kernels/simd_kernels.h"
#include "model/learn/batch_pass.h"

namespace attn {
namespace {

void want_head_room(FloatBuffer& buffer, std::size_t count) {
    require_memory(buffer.reserve(count));
}

// to (columns, rows): a square of one head fits in the first cache.
void transpose_square(const float* from, std::size_t stride, std::size_t size, float* to) {
    for (std::size_t c = 0; c < size; ++c) {
        for (std::size_t r = 0; r < size; ++r) to[c * size + r] = from[r * stride + c];
    }
}

}  // namespace

void BatchPass::attend_batch(Layer& layer) {
    const auto divisor = static_cast<float>(std::sqrt(static_cast<double>(head_dim_)));
    std::vector<std::size_t> counts(T_);  // keys that a row sees
    std::iota(counts.begin(), counts.end(), std::size_t{1});
    for (std::size_t text = 0; text < texts_; ++text) {
        for (std::size_t h = 0; h < heads_; ++h) {
            const float* query = layer.qkv.data() + text * T_ * 3 * width_ + h * head_dim_;
            const float *key = query + width_, *value = query + 2 * width_;
            float* weights = layer.weights.data() + (text * heads_ + h) * T_ * T_;
            panels_.pack_transposed(key, 3 * width_, head_dim_, T_);
            const std::size_t stride = std::max((T_ + 15) / 16 * 16, panels_.row_stride());
            want_head_room(scores_, T_ * stride + 16);
            multiply_into(query, 3 * width_, T_, T_, scores_.data(), stride);
            simd::kernels().softmax({scores_.data(), stride, weights, T_, T_}, counts.data(), T_, divisor);
            panels_.pack(value, 3 * width_, T_, head_dim_);
            multiply_into(weights, T_, T_, head_dim_, layer.context.data() + text * T_ * width_ + h * head_dim_,
                          width_);
        }
    }
}

// From the gradient at the context, at_width_ (rows, width), to that at queries, keys and values, at_wide_ (rows, 3
// width).
void BatchPass::attention_back(const Layer& layer) {
    const auto divisor = static_cast<float>(std::sqrt(static_cast<double>(head_dim_)));
    for (std::size_t text = 0; text < texts_; ++text) {
        for (std::size_t h = 0; h < heads_; ++h) {
            const float* query = layer.qkv.data() + text * T_ * 3 * width_ + h * head_dim_;
            const float *key = query + width_, *value = query + 2 * width_;
            const float* weights = layer.weights.data() + (text * heads_ + h) * T_ * T_;
            const float* at_context = at_width_.data() + text * T_ * width_ + h * head_dim_;
            float* at_query = at_wide_.data() + text * T_ * 3 * width_ + h * head_dim_;
            float *at_key = at_query + width_, *at_value = at_query + 2 * width_;

            // values: weights^T . gradient.
            want_head_room(square_, T_ * T_);
            transpose_square(weights, T_, T_, square_.data());
            panels_.pack(at_context, width_, T_, head_dim_);
            multiply_into(square_.data(), T_, T_, head_dim_, at_value, 3 * width_);

            // weights: gradient . values^T; scores: weights * (that - its mean under the weights) / divisor.
            panels_.pack_transposed(value, 3 * width_, head_dim_, T_);
            want_head_room(scores_, T_ * T_);
            multiply_into(at_context, width_, T_, T_, scores_.data(), T_);
            for (std::size_t i = 0; i < T_; ++i) {
                float* at = scores_.data() + i * T_;
                const float* row = weights + i * T_;
                double average = 0;
                for (std::size_t j = 0; j <= i; ++j)
                    average += static_cast<double>(at[j]) * static_cast<double>(row[j]);
                const auto mean = static_cast<float>(average);
                for (std::size_t j = 0; j < T_; ++j) at[j] = row[j] * (at[j] - mean) / divisor;
            }

            panels_.pack(key, 3 * width_, T_, head_dim_);
            multiply_into(scores_.data(), T_, T_, head_dim_, at_query, 3 * width_);
            transpose_square(scores_.data(), T_, T_, square_.data());
            panels_.pack(query, 3 * width_, T_, head_dim_);
            multiply_into(square_.data(), T_, T_, head_dim_, at_key, 3 * width_);
        }
    }
}

}  // namespace attn
