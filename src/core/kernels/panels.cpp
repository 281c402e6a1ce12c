// Hands both factors to the kernel that multiplies them.
#include "core/kernels/panels.h"

#include "core/ground/memory_room.h"
#include "core/kernels/simd_kernels.h"

namespace attn {

void Panels::pack(const float* b, std::size_t stride, std::size_t inner, std::size_t columns) {
    reserve(inner, columns);
    simd::kernels().pack(b, stride, inner, columns, panels_.data());
}

void Panels::pack_transposed(const float* b, std::size_t stride, std::size_t inner, std::size_t columns) {
    reserve(inner, columns);
    simd::kernels().pack_transposed(b, stride, inner, columns, panels_.data());
}

std::size_t Panels::row_stride() const {
    return simd::num_panels(columns_) * simd::kernels().panel_width;
}

void Panels::multiply(const float* a, std::size_t a_stride, std::size_t rows, float* out, bool adds) const {
    multiply_first(inner_, a, a_stride, rows, out, adds);
}

void Panels::multiply_first(std::size_t inner, const float* a, std::size_t a_stride, std::size_t rows, float* out,
                            bool adds) const {
    const simd::Kernels& kernels = simd::kernels();
    kernels.multiply(a, a_stride, rows, panels_.data(), inner_ * kernels.panel_width, inner, columns_, out,
                     row_stride(), adds);
}

void Panels::reserve(std::size_t inner, std::size_t columns) {
    require_memory(panels_.reserve(simd::panel_floats(inner, columns)));
    inner_ = inner;
    columns_ = columns;
}

}  // namespace attn
