// The hot loops as a table of functions: what each of them does, for every instruction set alike. Included by files
// that are compiled for instructions this processor may not have: nothing inline.
#pragma once

#include <cstddef>

namespace attn::simd {

// Rows of scores and where their weights go; both may be the same.
struct SoftmaxRows {
    float* scores;  // each row has room for the largest count rounded up to 16; all of that is overwritten
    std::size_t scores_stride;
    // Each row has `room`, at least its count; from the count on some may become 0, nothing else, unless both are the
    // same.
    float* weights;
    std::size_t weights_stride, room;
};

// The second factor of a product is packed into panels first: panel p holds columns p * panel_width to
// (p + 1) * panel_width, row after row, (inner, panel_width) floats; what lies beyond the last column is 0.
struct Kernels {
    std::size_t panel_width;  // columns of a panel
    std::size_t tile_rows;    // rows that a product works on together: any number is right, multiples are fastest

    // Panels of b (inner, columns), whose rows lie `stride` apart.
    void (*pack)(const float* b, std::size_t stride, std::size_t inner, std::size_t columns, float* panels);
    // Panels of the transpose of b (columns, inner), whose rows lie `stride` apart.
    void (*pack_transposed)(const float* b, std::size_t stride, std::size_t inner, std::size_t columns, float* panels);

    // out(i, j) = sum over c = 0, 1, ... of a(i, c) * b(c, j), starting at 0; with goes_on at what out holds, so that a
    // sum may be cut anywhere. a (rows, inner), rows a_stride apart; panels of b (inner, columns), panel_stride apart;
    // out (rows, columns rounded up to whole panels), rows out_stride apart: all of it may be written.
    void (*multiply)(const float* a, std::size_t a_stride, std::size_t rows, const float* panels,
                     std::size_t panel_stride, std::size_t inner, std::size_t columns, float* out,
                     std::size_t out_stride, bool goes_on);

    // Tiles of a (rows, inner), rows a multiple of tile_rows: of each tile_rows rows column after column, (inner,
    // tile_rows) floats. All a loop over them needs is one place, where rows apart need one each.
    void (*pack_rows)(const float* a, std::size_t a_stride, std::size_t rows, std::size_t inner, float* tiles);
    // multiply() of such tiles, from 0 on: the same bits.
    void (*multiply_tiles)(const float* tiles, std::size_t rows, const float* panels, std::size_t panel_stride,
                           std::size_t inner, std::size_t columns, float* out, std::size_t out_stride);

    // For each row and j < n = counts[row], n >= 1: weights[j] = e(j) / sum(e), e(j) = exp_nonpositive(scores[j] /
    // divisor - max / divisor). A NaN or +inf makes the whole row NaN, and so does a row of -inf alone. A score of -inf
    // gets exactly 0. The sum is that of 16 compensated sums (Kahan 1965), of the j with the same rest modulo 16, added
    // in pairs: zeros at the end change nothing.
    void (*softmax)(const SoftmaxRows& places, const std::size_t* counts, std::size_t rows, float divisor);

    // values[j] / sum of the n values, the sum as in softmax. A sum of 0 makes NaN, as it does in PyTorch.
    void (*divide_by_sum)(float* values, std::size_t n);

    // values[j] / divisor.
    void (*divide)(float* values, std::size_t n, float divisor);

    // x becomes e^x, for x <= 0. Down to x = -87.3 it is off by at most 1.3 units in the last place (1.18 was the worst
    // of all floats there); below, where floats lose their precision (e^x < 1.2e-38), it is 0. e^0 is exactly 1, e^-inf
    // is 0, NaN stays NaN.
    void (*exp_nonpositive)(float* values, std::size_t n);
};

}  // namespace attn::simd
