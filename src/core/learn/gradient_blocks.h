// What the files of BackwardPass share: its memory, and blocks of rows.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/ground/float_buffer.h"
#include "core/ground/memory_room.h"
#include "core/ground/tensor.h"

namespace attn {

// Gives `tensor` this shape, and zeros.
template <class Tensor, class... Sizes>
void clear(Tensor& tensor, Sizes... sizes) {
    tensor.resize(std::array<std::size_t, sizeof...(Sizes)>{static_cast<std::size_t>(sizes)...});
    tensor.fill(0);
}

inline void reserve(FloatBuffer& buffer, std::size_t count) {
    require_memory(buffer.reserve(count));
}

// In squares: rows of `out` lie as far apart as `block` is high, and each would be another cache line.
inline void transpose(const float* block, std::size_t stride, std::size_t rows, std::size_t columns, float* out) {
    constexpr std::size_t kSquare = 16;
    for (std::size_t first = 0; first < rows; first += kSquare) {
        const std::size_t end = std::min(first + kSquare, rows);
        for (std::size_t left = 0; left < columns; left += kSquare) {
            const std::size_t right = std::min(left + kSquare, columns);
            for (std::size_t j = left; j < right; ++j) {
                for (std::size_t i = first; i < end; ++i) out[j * rows + i] = block[i * stride + j];
            }
        }
    }
}

inline void copy_rows(const float* from, std::size_t stride, std::size_t rows, std::size_t columns, float* out) {
    for (std::size_t i = 0; i < rows; ++i) std::copy_n(from + i * stride, columns, out + i * columns);
}

inline void add_rows(const Matrix& rows, Vector& sums) {
    for (std::size_t i = 0; i < rows.shape(0); ++i) {
        const float* row = rows.data() + i * rows.shape(1);
        for (std::size_t c = 0; c < rows.shape(1); ++c) sums(c) += row[c];
    }
}

}  // namespace attn
