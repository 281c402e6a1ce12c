// The rows go through a block of w's panels a few at a time, and from there to their places.
#include "model/layers/blocked_product.h"

#include <algorithm>
#include <limits>

#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "core/kernels/packed_matrix.h"
#include "core/kernels/simd_kernels.h"

namespace attn {
namespace {

// Floats of a block: it stays in the second cache.
constexpr int kBlockFloats = 1 << 17;
// For one row, which reads floats from memory once, they need not: some milliseconds.
constexpr int kRowBlockFloats = 1 << 21;
constexpr int kColumnsTogether = 64;  // whole panels of every kernel

}  // namespace

// Columns next_ to next_ + count of all rows.
void BlockedProduct::multiply_block(const Matrix& x, int count, const float* bias, Matrix& out) {
    const int T = length(x, 0);
    const int from = linear_->first_output + next_;
    const int before = from % static_cast<int>(simd::kernels().panel_width);  // columns of a panel that begins earlier
    const float* panels = linear_->weight->panels(from - before, before + count, panels_);
    const auto columns = static_cast<std::size_t>(before + count);
    const std::size_t stride = simd::num_panels(columns) * simd::kernels().panel_width;
    constexpr int kRows = static_cast<int>(PackedMatrix::kRowsAtOnce);
    require_memory(rows_.reserve(static_cast<std::size_t>(std::min(T, kRows)) * stride));
    for (int first = 0; first < T; first += kRows) {
        const int end = std::min(first + kRows, T);
        x_.multiply(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first), panels, columns,
                    rows_.data(), stride);
        const float* row = rows_.data() + before;
        for (int i = first; i < end; ++i, row += stride) {
            float* to = &out(i, next_);
            for (int c = 0; c < count; ++c) to[c] = bias == nullptr ? row[c] : row[c] + bias[c];
        }
    }
}

bool BlockedProduct::advance(const Matrix& x, Matrix& out, std::int64_t& multiply_adds) {
    const int T = length(x, 0);
    const LinearWeights& linear = *linear_;
    ATTN_CHECK(length(x, 1) == linear.inputs, "x has ", length(x, 1), " columns, want ", linear.inputs);
    const auto is_there = [&] {
        const int first = linear.first_output;
        return linear.weight->asks_for_columns(first + next_, 1, first + linear.outputs);
    };
    if (next_ == 0 && is_there()) {
        out = unset<Matrix>(T, linear.outputs);
        require_memory(x_.reserve(x.shape(0), x.shape(1)));
        x_.pack(x.data(), x.shape(0), x.shape(1));
    }
    const int floats = T == 1 && !linear.weight->is_widened() ? kRowBlockFloats : kBlockFloats;
    const int block = std::max(1, floats / linear.inputs / kColumnsTogether) * kColumnsTogether;
    while (!is_done()) {
        if (!is_there()) {
            multiply_adds = std::min<std::int64_t>(multiply_adds, 0);
            break;
        }
        const int count =
            std::min({block, linear.outputs - next_, linear.weight->columns_in_part(linear.first_output + next_)});
        bias_.resize(static_cast<std::size_t>(count));
        if (linear.bias != nullptr) linear.copy_bias(next_, bias_);
        multiply_block(x, count, linear.bias == nullptr ? nullptr : bias_.data(), out);
        next_ += count;
        multiply_adds -= std::int64_t{std::max(T, kReading)} * linear.inputs * count;
        if (multiply_adds <= 0) break;
    }
    return is_done();
}

Matrix multiply(const Matrix& x, const LinearWeights& linear) {
    BlockedProduct product(linear);
    Matrix out;
    std::int64_t multiply_adds = std::numeric_limits<std::int64_t>::max();
    const bool is_done = product.advance(x, out, multiply_adds);
    ATTN_CHECK(is_done, "the matrix was not asked for");
    return out;
}

}  // namespace attn
