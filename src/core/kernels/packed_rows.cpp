// Packs rows into tiles, and multiplies them with panels.
#include "core/kernels/packed_rows.h"

#include <algorithm>

#include "core/kernels/simd_kernels.h"

namespace attn {
namespace {

// Up to so many rows packing takes longer than it saves.
constexpr std::size_t kFewRows = 16;

}  // namespace

bool PackedRows::reserve(std::size_t num_rows, std::size_t inner) {
    return num_rows <= kFewRows || tiles_.reserve(num_rows * inner);
}

void PackedRows::pack(const float* x, std::size_t num_rows, std::size_t inner) {
    const simd::Kernels& kernels = simd::kernels();
    x_ = x;
    inner_ = inner;
    num_tiled_ = num_rows <= kFewRows ? 0 : num_rows / kernels.tile_rows * kernels.tile_rows;
    kernels.pack_rows(x, inner, num_tiled_, inner, tiles_.data());
}

void PackedRows::multiply(std::size_t first, std::size_t count, const float* panels, std::size_t columns, float* out,
                          std::size_t out_stride) const {
    const simd::Kernels& kernels = simd::kernels();
    const std::size_t panel = inner_ * kernels.panel_width;
    const std::size_t end = first + count;
    const std::size_t tiled_end = std::clamp(num_tiled_, first, end) / kernels.tile_rows * kernels.tile_rows;
    if (first < tiled_end) {
        kernels.multiply_tiles(tiles_.data() + first * inner_, tiled_end - first, panels, panel, inner_, columns, out,
                               out_stride);
        out += (tiled_end - first) * out_stride;
        first = tiled_end;
    }
    if (first < end)
        kernels.multiply(x_ + first * inner_, inner_, end - first, panels, panel, inner_, columns, out, out_stride,
                         false);
}

}  // namespace attn
