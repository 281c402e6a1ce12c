// A block of w is widened and packed once for all rows of x.
#include "model/layers/blocked_product.h"

#include <algorithm>
#include <limits>

#include "core/ground/check.h"

namespace attn {
namespace {

// Floats of a block: what it is widened into and packed into stays in the second cache.
constexpr int kBlockFloats = 1 << 17;
constexpr int kColumnsTogether = 64;  // whole panels of every kernel

}  // namespace

bool BlockedProduct::advance(const Matrix& x, Matrix& out, std::int64_t& multiply_adds) {
    const int T = length(x, 0);
    const LinearWeights& linear = *linear_;
    ATTN_CHECK(length(x, 1) == linear.inputs, "x has ", length(x, 1), " columns, want ", linear.inputs);
    if (next_ == 0) out = unset<Matrix>(T, linear.outputs);
    const int block = std::max(1, kBlockFloats / linear.inputs / kColumnsTogether) * kColumnsTogether;
    while (!is_done()) {
        const int count = std::min(block, linear.outputs - next_);
        linear.pack(next_, count, panels_, scratch_);
        const std::size_t stride = panels_.row_stride();
        ATTN_CHECK(rows_.reserve(stride * static_cast<std::size_t>(T)), "no memory for ", T, " rows of a product");
        panels_.multiply(x.data(), x.shape(1), x.shape(0), rows_.data());
        bias_.assign(static_cast<std::size_t>(count), 0);
        if (linear.bias != nullptr) linear.bias->copy(linear.first_output + next_, bias_);
        for (int i = 0; i < T; ++i) {
            const float* from = rows_.data() + static_cast<std::size_t>(i) * stride;
            float* to = &out(i, next_);
            for (int c = 0; c < count; ++c)
                to[c] = linear.bias == nullptr ? from[c] : from[c] + bias_[static_cast<std::size_t>(c)];
        }
        next_ += count;
        multiply_adds -= std::int64_t{T} * linear.inputs * count;
        if (multiply_adds <= 0) break;
    }
    return is_done();
}

Matrix multiply(const Matrix& x, const LinearWeights& linear) {
    BlockedProduct product(linear);
    Matrix out;
    std::int64_t multiply_adds = std::numeric_limits<std::int64_t>::max();
    product.advance(x, out, multiply_adds);
    return out;
}

}  // namespace attn
