// The kernels in plain loops, one number after the other. simd_kernels.cpp gives the same bits with SIMD lanes.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "core/kernels/kernel_sets.h"

namespace attn::simd {

namespace plain {
namespace {

constexpr std::size_t kPanelWidth = 3;  // unlike any number of lanes

void pack(const float* b, std::size_t stride, std::size_t inner, std::size_t columns, float* panels) {
    for (std::size_t first = 0; first < columns; first += kPanelWidth) {
        for (std::size_t c = 0; c < inner; ++c) {
            for (std::size_t j = first; j < first + kPanelWidth; ++j) {
                *panels++ = j < columns ? b[c * stride + j] : 0.0f;
            }
        }
    }
}

void pack_transposed(const float* b, std::size_t stride, std::size_t inner, std::size_t columns, float* panels) {
    for (std::size_t first = 0; first < columns; first += kPanelWidth) {
        for (std::size_t c = 0; c < inner; ++c) {
            for (std::size_t j = first; j < first + kPanelWidth; ++j) {
                *panels++ = j < columns ? b[j * stride + c] : 0.0f;
            }
        }
    }
}

void multiply(const float* a, std::size_t a_stride, std::size_t rows, const float* panels, std::size_t panel_stride,
              std::size_t inner, std::size_t columns, float* out, std::size_t out_stride, bool goes_on) {
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            const float* panel = panels + j / kPanelWidth * panel_stride;
            float sum = goes_on ? out[i * out_stride + j] : 0.0f;
            for (std::size_t c = 0; c < inner; ++c) {
                sum += a[i * a_stride + c] * panel[c * kPanelWidth + j % kPanelWidth];
            }
            out[i * out_stride + j] = sum;
        }
    }
}

// A tile is one row.
void pack_rows(const float* a, std::size_t a_stride, std::size_t rows, std::size_t inner, float* tiles) {
    for (std::size_t i = 0; i < rows; ++i, tiles += inner) std::copy_n(a + i * a_stride, inner, tiles);
}

void multiply_tiles(const float* tiles, std::size_t rows, const float* panels, std::size_t panel_stride,
                    std::size_t inner, std::size_t columns, float* out, std::size_t out_stride) {
    multiply(tiles, inner, rows, panels, panel_stride, inner, columns, out, out_stride, false);
}

// See simd_kernels.cpp for what the steps are.
float exp_of_nonpositive(float x) {
    const float rounder = 12583039.0f;
    const float rounded = x * 1.44269504f + rounder;
    const float n = rounded - rounder;
    const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
    float sum = 1.38145846e-3f;
    for (const float coefficient : {8.36872430e-3f, 4.16683888e-2f, 0.166665206f, 0.499999934f, 1.0f, 1.0f}) {
        sum = sum * r + coefficient;
    }
    const std::uint32_t power = std::bit_cast<std::uint32_t>(rounded) << 23;
    return x < -87.3f ? 0.0f : sum * std::bit_cast<float>(power);
}

void exp_nonpositive(float* values, std::size_t n) {
    for (std::size_t j = 0; j < n; ++j) values[j] = exp_of_nonpositive(values[j]);
}

// The sum of 16 compensated sums: each less its excess, then in pairs 8, 4, 2 and 1 apart, the last two in double.
float total_of_sums(const std::array<float, 16>& sums, const std::array<float, 16>& excesses) {
    std::array<float, 16> totals;
    for (std::size_t k = 0; k < 16; ++k) totals[k] = sums[k] - excesses[k];
    for (std::size_t half = 8; half >= 4; half /= 2) {
        for (std::size_t k = 0; k < half; ++k) totals[k] += totals[k + half];
    }
    const double even = static_cast<double>(totals[0]) + static_cast<double>(totals[2]);
    const double odd = static_cast<double>(totals[1]) + static_cast<double>(totals[3]);
    return static_cast<float>(even + odd);
}

float compensated_sum(const float* values, std::size_t n) {
    std::array<float, 16> sums = {};
    std::array<float, 16> excesses = {};
    for (std::size_t j = 0; j < n; ++j) {
        float& sum = sums[j % 16];
        float& excess = excesses[j % 16];
        const float wanted = values[j] - excess;
        const float next = sum + wanted;
        excess = (next - sum) - wanted;
        sum = next;
    }
    return total_of_sums(sums, excesses);
}

void divide(float* values, std::size_t n, float divisor) {
    for (std::size_t j = 0; j < n; ++j) values[j] /= divisor;
}

void divide_by_sum(float* values, std::size_t n) {
    divide(values, n, compensated_sum(values, n));
}

void softmax(const SoftmaxRows& places, const std::size_t* counts, std::size_t rows, float divisor) {
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t n = counts[i];
        float* scores = places.scores + i * places.scores_stride;
        float* weights = places.weights + i * places.weights_stride;
        float row_max = -std::numeric_limits<float>::infinity();
        for (std::size_t j = 0; j < n; ++j) row_max = scores[j] > row_max ? scores[j] : row_max;
        for (std::size_t j = 0; j < n; ++j) scores[j] = exp_of_nonpositive(scores[j] / divisor - row_max / divisor);
        const float row_sum = compensated_sum(scores, n);
        for (std::size_t j = 0; j < n; ++j) weights[j] = scores[j] / row_sum;
    }
}

}  // namespace

const Kernels table = {kPanelWidth,    1,       pack,          pack_transposed, multiply,       pack_rows,
                       multiply_tiles, softmax, divide_by_sum, divide,          exp_nonpositive};

}  // namespace plain
}  // namespace attn::simd
