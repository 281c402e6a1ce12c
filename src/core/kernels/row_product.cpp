// Eight rows or columns of the matrix at a time, so that each is read in long runs and sums do not wait for each other.
#include "core/kernels/row_product.h"

#include <algorithm>
#include <xsimd/xsimd.hpp>

namespace attn {
namespace {

constexpr std::size_t kTogether = 4;
using Four = xsimd::make_sized_batch_t<float, kTogether>;

// out += x[k] * w[k] for `kRows` rows of w, so that the sums are loaded and stored once for all of them.
template <std::size_t kRows>
void add_rows(const float* x, const float* w, std::size_t stride, std::size_t columns, float* out) {
    Four factors[kRows];
    for (std::size_t k = 0; k < kRows; ++k) factors[k] = Four(x[k]);
    std::size_t c = 0;
    for (; c + kTogether <= columns; c += kTogether) {
        Four sum = Four::load_unaligned(out + c);
        for (std::size_t k = 0; k < kRows; ++k) sum = sum + factors[k] * Four::load_unaligned(w + k * stride + c);
        sum.store_unaligned(out + c);
    }
    for (; c < columns; ++c) {
        for (std::size_t k = 0; k < kRows; ++k) out[c] += x[k] * w[k * stride + c];
    }
}

// The sums of `kGroups` times four columns, which are rows of w: squares of four by four numbers are turned.
template <std::size_t kGroups>
void sum_columns(const float* x, const float* w, std::size_t stride, std::size_t inputs, float* out) {
    Four sums[kGroups];
    for (Four& sum : sums) sum = Four(0.0F);
    std::size_t k = 0;
    for (; k + kTogether <= inputs; k += kTogether) {
        for (std::size_t g = 0; g < kGroups; ++g) {
            const float* from = w + g * kTogether * stride + k;
            Four square[kTogether];
            for (std::size_t c = 0; c < kTogether; ++c) square[c] = Four::load_unaligned(from + c * stride);
            xsimd::transpose(square, square + kTogether);
            for (std::size_t i = 0; i < kTogether; ++i) sums[g] = sums[g] + Four(x[k + i]) * square[i];
        }
    }
    for (std::size_t g = 0; g < kGroups; ++g) sums[g].store_unaligned(out + g * kTogether);
    for (; k < inputs; ++k) {
        for (std::size_t c = 0; c < kGroups * kTogether; ++c) out[c] += x[k] * w[c * stride + k];
    }
}

}  // namespace

void multiply_row(const float* x, const float* w, std::size_t stride, std::size_t inputs, std::size_t columns,
                  float* out) {
    std::fill_n(out, columns, 0.0F);
    constexpr std::size_t kRows = 8;
    std::size_t k = 0;
    for (; k + kRows <= inputs; k += kRows) add_rows<kRows>(x + k, w + k * stride, stride, columns, out);
    for (; k < inputs; ++k) add_rows<1>(x + k, w + k * stride, stride, columns, out);
}

void multiply_row_transposed(const float* x, const float* w, std::size_t stride, std::size_t inputs,
                             std::size_t columns, float* out) {
    constexpr std::size_t kGroups = 2;
    std::size_t c = 0;
    for (; c + kGroups * kTogether <= columns; c += kGroups * kTogether)
        sum_columns<kGroups>(x, w + c * stride, stride, inputs, out + c);
    for (; c < columns; ++c) {
        float sum = 0;
        for (std::size_t k = 0; k < inputs; ++k) sum += x[k] * w[c * stride + k];
        out[c] = sum;
    }
}

}  // namespace attn
