// One row times a matrix that is read once, as it lies: packed for the kernels, it would be written and read once more,
// which takes longer than the product. The same bits as the kernels': each number is the sum over the inputs in their
// order, from 0 on, no product fused with its sum.
#pragma once

#include <cstddef>

namespace attn {

// out = x . w for x (inputs) and w (inputs, columns), whose rows lie `stride` apart.
void multiply_row(const float* x, const float* w, std::size_t stride, std::size_t inputs, std::size_t columns,
                  float* out);

// The same for w (columns, inputs).
void multiply_row_transposed(const float* x, const float* w, std::size_t stride, std::size_t inputs,
                             std::size_t columns, float* out);

}  // namespace attn
