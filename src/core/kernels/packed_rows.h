// The first factor of a product in the layout that the kernels read fastest, for rows that are multiplied with many
// panels.
#pragma once

#include <cstddef>

#include "core/ground/float_buffer.h"

namespace attn {

class PackedRows {
public:
    // Memory for so many rows. Returns false when it is refused.
    [[nodiscard]] bool reserve(std::size_t num_rows, std::size_t inner);

    // Takes x (num_rows, inner), for which there is room. It stays where it is as long as this is used.
    void pack(const float* x, std::size_t num_rows, std::size_t inner);

    // Rows first to first + count times panels of b (inner, columns), which lie one after the other; rows of out lie
    // out_stride apart and have room for whole panels. `first` is a multiple of the kernels' tile_rows.
    void multiply(std::size_t first, std::size_t count, const float* panels, std::size_t columns, float* out,
                  std::size_t out_stride) const;

private:
    FloatBuffer tiles_;
    const float* x_ = nullptr;
    std::size_t inner_ = 0, num_tiled_ = 0;  // rows in tiles; the others are read from x
};

}  // namespace attn
