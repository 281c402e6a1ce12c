// The second factor of a product, packed for the kernels, and products with it.
#pragma once

#include <cstddef>

#include "core/ground/float_buffer.h"

namespace attn {

class Panels {
public:
    // Packs b (inner, columns), or the transpose of b (columns, inner); rows of b lie `stride` apart. It is copied. The
    // program stops when the memory is refused: who has large factors asks for room before.
    void pack(const float* b, std::size_t stride, std::size_t inner, std::size_t columns);
    void pack_transposed(const float* b, std::size_t stride, std::size_t inner, std::size_t columns);

    // Columns rounded up to whole panels: what a row of a product has room for, at least.
    std::size_t row_stride() const;

    // out = a . b for a (rows, inner), whose rows lie a_stride apart; rows of out lie row_stride() apart. Each number
    // is the sum over c = 0, 1, ..., which starts at 0, or with `adds` at what out holds.
    void multiply(const float* a, std::size_t a_stride, std::size_t rows, float* out, bool adds = false) const;

    // The same with the first `inner` columns of a and rows of b alone.
    void multiply_first(std::size_t inner, const float* a, std::size_t a_stride, std::size_t rows, float* out,
                        bool adds = false) const;

private:
    void reserve(std::size_t inner, std::size_t columns);

    FloatBuffer panels_;
    std::size_t inner_ = 0, columns_ = 0;
};

}  // namespace attn
