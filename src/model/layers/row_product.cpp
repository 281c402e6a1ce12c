// Loops that a compiler turns into vectors.
#include "model/layers/row_product.h"

#include <algorithm>
#include <array>

namespace attn {
namespace {

constexpr std::size_t kRows = 4;  // read side by side, so that the sums are loaded and stored once for all of them

void add_rows(const float* __restrict x, const float* __restrict w, std::size_t stride, std::size_t columns,
              float* __restrict out) {
    const float *w0 = w, *w1 = w + stride, *w2 = w1 + stride, *w3 = w2 + stride;
    for (std::size_t c = 0; c < columns; ++c)
        out[c] = (((out[c] + x[0] * w0[c]) + x[1] * w1[c]) + x[2] * w2[c]) + x[3] * w3[c];
}

void add_row(float x, const float* __restrict w, std::size_t columns, float* __restrict out) {
    for (std::size_t c = 0; c < columns; ++c) out[c] += x * w[c];
}

// Some columns of a transposed matrix at once: each sum waits for the one before, so many go side by side.
template <std::size_t kColumns>
void sum_columns(const float* x, const float* w, std::size_t stride, std::size_t inputs, float* out) {
    std::array<float, kColumns> sums = {};
    for (std::size_t k = 0; k < inputs; ++k) {
        for (std::size_t c = 0; c < kColumns; ++c) sums[c] += x[k] * w[c * stride + k];
    }
    std::ranges::copy(sums, out);
}

}  // namespace

void multiply_row(const float* x, const float* w, std::size_t stride, std::size_t inputs, std::size_t columns,
                  float* out) {
    std::fill_n(out, columns, 0.0F);
    std::size_t k = 0;
    for (; k + kRows <= inputs; k += kRows) add_rows(x + k, w + k * stride, stride, columns, out);
    for (; k < inputs; ++k) add_row(x[k], w + k * stride, columns, out);
}

void multiply_row_transposed(const float* x, const float* w, std::size_t stride, std::size_t inputs,
                             std::size_t columns, float* out) {
    constexpr std::size_t kTogether = 8;
    std::size_t c = 0;
    for (; c + kTogether <= columns; c += kTogether) sum_columns<kTogether>(x, w + c * stride, stride, inputs, out + c);
    for (; c < columns; ++c) sum_columns<1>(x, w + c * stride, stride, inputs, out + c);
}

}  // namespace attn
