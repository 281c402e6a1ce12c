// See the header.
#include "core/packed_matrix.h"

#include "core/simd_kernels.h"

namespace attn {

bool PackedMatrix::pack(const float* w, std::size_t inner, std::size_t columns) {
    inner_ = inner;
    columns_ = columns;
    if (!panels_.reserve(simd::panel_floats(inner, columns)) || !rows_.reserve(kRowsAtOnce * row_stride()))
        return false;
    simd::kernels().pack(w, columns, inner, columns, panels_.data());
    return true;
}

std::size_t PackedMatrix::row_stride() const {
    return simd::num_panels(columns_) * simd::kernels().panel_width;
}

float* PackedMatrix::project(const float* x, std::size_t num_rows, const float* b) {
    const simd::Kernels& kernels = simd::kernels();
    const std::size_t stride = row_stride();
    kernels.multiply(x, inner_, num_rows, panels_.data(), kernels.panel_width * inner_, inner_, columns_, rows_.data(),
                     stride, false);
    if (b == nullptr) return rows_.data();
    for (std::size_t i = 0; i < num_rows; ++i) {
        float* row = rows_.data() + i * stride;
        for (std::size_t c = 0; c < columns_; ++c) row[c] += b[c];
    }
    return rows_.data();
}

}  // namespace attn
