// A learned matrix in the layout that the kernels read, so that rows can be projected a few at a time.
#pragma once

#include <cstddef>

#include "core/ground/float_buffer.h"
#include "core/kernels/packed_rows.h"

namespace attn {

class PackedMatrix {
public:
    // Rows that share a panel while it is in the first cache: 64 x 256 floats of x stay in the second.
    static constexpr std::size_t kRowsAtOnce = 64;

    // Packs w (inner, columns), whose rows lie `stride` apart. Returns false when the memory is refused. A matrix may
    // come in num_parts parts, in order, the first one as wide as any; each is the one in use until use() names
    // another.
    [[nodiscard]] bool pack(const float* w, std::size_t stride, std::size_t inner, std::size_t columns,
                            std::size_t part = 0, std::size_t num_parts = 1);
    // The part that the functions below mean: it has so many columns.
    void use(std::size_t part, std::size_t columns);

    // x . w + b for num_rows rows of x (., inner), at most kRowsAtOnce, from first_row on, a multiple of it; b
    // (columns), added last, or null. The result stays until the next call; its rows lie row_stride() apart.
    float* project(const PackedRows& x, std::size_t first_row, std::size_t num_rows, const float* b);

    // The same for columns first to end alone, straight to where they are wanted: rows of out lie out_stride apart.
    // `first` is a multiple of the panel width, and so is `end`, or else out has room for a whole panel more.
    void project_columns(const PackedRows& x, std::size_t first_row, std::size_t num_rows, const float* b,
                         std::size_t first, std::size_t end, float* out, std::size_t out_stride) const;

    std::size_t row_stride() const;

private:
    bool prepare(std::size_t inner, std::size_t columns, std::size_t part, std::size_t num_parts);

    FloatBuffer panels_, rows_;
    std::size_t inner_ = 0, columns_ = 0;
    std::size_t part_floats_ = 0, first_float_ = 0;  // from part to part, and where the one in use begins
};

}  // namespace attn
