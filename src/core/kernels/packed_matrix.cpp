// Packs a matrix into panels, and projects rows with them.
#include "core/kernels/packed_matrix.h"

#include "core/kernels/simd_kernels.h"

namespace attn {

bool PackedMatrix::prepare(std::size_t inner, std::size_t columns, std::size_t part, std::size_t num_parts) {
    inner_ = inner;
    if (part == 0) part_floats_ = simd::panel_floats(inner, columns);
    use(part, columns);
    return panels_.reserve(num_parts * part_floats_) && rows_.reserve(kRowsAtOnce * row_stride());
}

bool PackedMatrix::pack(const float* w, std::size_t stride, std::size_t inner, std::size_t columns, std::size_t part,
                        std::size_t num_parts) {
    if (!prepare(inner, columns, part, num_parts)) return false;
    simd::kernels().pack(w, stride, inner, columns, panels_.data() + first_float_);
    return true;
}

void PackedMatrix::use(std::size_t part, std::size_t columns) {
    first_float_ = part * part_floats_;
    columns_ = columns;
}

std::size_t PackedMatrix::row_stride() const {
    return simd::num_panels(columns_) * simd::kernels().panel_width;
}

float* PackedMatrix::project(const PackedRows& x, std::size_t first_row, std::size_t num_rows, const float* b) {
    project_columns(x, first_row, num_rows, b, 0, columns_, rows_.data(), row_stride());
    return rows_.data();
}

void PackedMatrix::project_columns(const PackedRows& x, std::size_t first_row, std::size_t num_rows, const float* b,
                                   std::size_t first, std::size_t end, float* out, std::size_t out_stride) const {
    x.multiply(first_row, num_rows, panels_.data() + first_float_ + first * inner_, end - first, out, out_stride);
    if (b == nullptr) return;
    for (std::size_t i = 0; i < num_rows; ++i) {
        float* row = out + i * out_stride;
        for (std::size_t c = first; c < end; ++c) row[c - first] += b[c];
    }
}

}  // namespace attn
