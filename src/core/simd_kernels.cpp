// The kernels on SIMD lanes; the only file that knows xsimd. Compiled once for what every processor of the platform has
// and once more for each wider instruction set (see CMakeLists.txt), each time into a namespace of its own. No inline
// function of the standard library stands here: compiled for a wider set, the linker could pick it for all the program.
// plain_kernels.cpp says the same in plain loops: read that first.
#include "core/simd_kernels.h"

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "core/kernel_sets.h"

#ifndef ATTN_KERNELS
#define ATTN_KERNELS baseline
#endif

namespace attn::simd::ATTN_KERNELS {
namespace {

using Batch = xsimd::batch<float>;
using BitBatch = xsimd::batch<std::uint32_t>;
constexpr std::size_t kLanes = Batch::size;

// A tile of sums lives in registers: kTileRows rows of two vectors. 4 x 2 sums, two vectors of the panel and a number
// of `a` fit the 16 registers of SSE, AVX and V8, and 8 sums are enough for two additions a cycle that take 3 to 4
// cycles each. AVX-512 has 32 registers: 8 x 2 sums halve the loads a product needs.
constexpr std::size_t kTileRows = kLanes == 16 ? 8 : 4;
constexpr std::size_t kPanelWidth = 2 * kLanes;

// So many rows of a panel (16, 16 or 32 KiB) stay in the first cache, with the same stretch of a tile's rows of `a`. A
// sum that is at most half longer is not cut: each cut stores the sums and loads them again.
constexpr std::size_t kInnerAtOnce = kLanes == 4 ? 512 : 256;

// `Rows` rows of a times `Vectors` vectors of each row of a panel.
template <std::size_t Rows, std::size_t Vectors>
void multiply_tile(const float* a, std::size_t a_stride, const float* panel, std::size_t inner, float* out,
                   std::size_t out_stride, bool goes_on) {
    Batch sums[Rows][Vectors];
    for (std::size_t r = 0; r < Rows; ++r) {
        for (std::size_t v = 0; v < Vectors; ++v) {
            sums[r][v] = goes_on ? Batch::load_unaligned(out + r * out_stride + v * kLanes) : Batch(0.0f);
        }
    }
    // One row of the panel at a time: unrolled, V8 loads ahead for several and runs out of registers (half the speed).
#if defined(__clang__)
#pragma clang loop unroll(disable)
#else
#pragma GCC unroll 1
#endif
    for (const float* const end = panel + inner * kPanelWidth; panel != end; panel += kPanelWidth, ++a) {
        Batch row[Vectors];
        for (std::size_t v = 0; v < Vectors; ++v) row[v] = Batch::load_unaligned(panel + v * kLanes);
        for (std::size_t r = 0; r < Rows; ++r) {
            const Batch factor(a[r * a_stride]);
            for (std::size_t v = 0; v < Vectors; ++v) sums[r][v] = sums[r][v] + factor * row[v];
        }
    }
    for (std::size_t r = 0; r < Rows; ++r) {
        for (std::size_t v = 0; v < Vectors; ++v) sums[r][v].store_unaligned(out + r * out_stride + v * kLanes);
    }
}

// All rows, in tiles of `Rows` and then of half as many, down to 1.
template <std::size_t Rows, std::size_t Vectors>
void multiply_rows(const float* a, std::size_t a_stride, std::size_t rows, const float* panel, std::size_t inner,
                   float* out, std::size_t out_stride, bool goes_on) {
    std::size_t i = 0;
    for (; i + Rows <= rows; i += Rows) {
        multiply_tile<Rows, Vectors>(a + i * a_stride, a_stride, panel, inner, out + i * out_stride, out_stride,
                                     goes_on);
    }
    if constexpr (Rows > 1) {
        if (i < rows) {
            multiply_rows<Rows / 2, Vectors>(a + i * a_stride, a_stride, rows - i, panel, inner, out + i * out_stride,
                                             out_stride, goes_on);
        }
    }
}

void multiply(const float* a, std::size_t a_stride, std::size_t rows, const float* panels, std::size_t panel_stride,
              std::size_t inner, std::size_t columns, float* out, std::size_t out_stride, bool goes_on) {
    for (std::size_t first = 0; first < columns; first += kPanelWidth, panels += panel_stride) {
        const bool is_narrow = columns - first <= kLanes;  // what lies right of the first vector is 0
        std::size_t c = 0;
        do {
            const std::size_t length = inner - c <= kInnerAtOnce + kInnerAtOnce / 2 ? inner - c : kInnerAtOnce;
            const float* stretch = panels + c * kPanelWidth;
            (is_narrow ? multiply_rows<kTileRows, 1> : multiply_rows<kTileRows, 2>)(a + c, a_stride, rows, stretch,
                                                                                    length, out + first, out_stride,
                                                                                    goes_on || c != 0);
            c += length;
        } while (c < inner);
    }
}

void pack(const float* b, std::size_t stride, std::size_t inner, std::size_t columns, float* panels) {
    for (std::size_t first = 0; first < columns; first += kPanelWidth) {
        const std::size_t width = columns - first < kPanelWidth ? columns - first : kPanelWidth;
        for (std::size_t c = 0; c < inner; ++c, panels += kPanelWidth) {
            const float* row = b + c * stride + first;
            if (width == kPanelWidth) {
                Batch::load_unaligned(row).store_unaligned(panels);
                Batch::load_unaligned(row + kLanes).store_unaligned(panels + kLanes);
            } else {
                for (std::size_t j = 0; j < kPanelWidth; ++j) panels[j] = j < width ? row[j] : 0.0f;
            }
        }
    }
}

void pack_transposed(const float* b, std::size_t stride, std::size_t inner, std::size_t columns, float* panels) {
    for (std::size_t first = 0; first < columns; first += kPanelWidth) {
        const std::size_t width = columns - first < kPanelWidth ? columns - first : kPanelWidth;
        for (std::size_t c = 0; c < inner; ++c, panels += kPanelWidth) {
            const float* column = b + first * stride + c;
            for (std::size_t j = 0; j < kPanelWidth; ++j) panels[j] = j < width ? column[j * stride] : 0.0f;
        }
    }
}

// e^x = 2^n * e^r with n = round(x / ln 2) and r = x - n ln 2, |r| <= 0.347; e^r by its Taylor series, whose first
// term left out is r^8 / 8! < 6e-9.
Batch exp_of_nonpositive(Batch x) {
    const Batch kRounder(12582912.0f);   // 1.5 * 2^23: adding it leaves round(.) in the low bits of the float
    const Batch kLn2High(0.693359375f);  // ln 2 in two parts; n times the first, which has 10 bits, is exact
    const Batch kLn2Low(-2.12194440e-4f);
    const Batch rounded = x * Batch(1.44269504f) + kRounder;  // 1 / ln 2
    const Batch n = rounded - kRounder;
    const Batch r = (x - n * kLn2High) - n * kLn2Low;
    Batch sum(1.0f / 5040);
    sum = sum * r + Batch(1.0f / 720);
    sum = sum * r + Batch(1.0f / 120);
    sum = sum * r + Batch(1.0f / 24);
    sum = sum * r + Batch(1.0f / 6);
    sum = sum * r + Batch(1.0f / 2);
    sum = sum * r + Batch(1.0f);
    sum = sum * r + Batch(1.0f);
    // n sits in the low bits of `rounded`; moved into the exponent field, beside the bias 127, it makes 2^n.
    const BitBatch exponent = (xsimd::bitwise_cast<std::uint32_t>(rounded) << 23) + BitBatch(127U << 23);
    return xsimd::select(x < Batch(-87.3f), Batch(0.0f), sum * xsimd::bitwise_cast<float>(exponent));
}

void exp_nonpositive(float* values, std::size_t n) {
    std::size_t j = 0;
    for (; j + kLanes <= n; j += kLanes)
        exp_of_nonpositive(Batch::load_unaligned(values + j)).store_unaligned(values + j);
    if (j == n) return;
    float rest[kLanes] = {};
    for (std::size_t k = 0; j + k < n; ++k) rest[k] = values[j + k];
    exp_of_nonpositive(Batch::load_unaligned(rest)).store_unaligned(rest);
    for (std::size_t k = 0; j + k < n; ++k) values[j + k] = rest[k];
}

// 16 compensated sums, of the numbers whose places have the same rest modulo 16.
constexpr std::size_t kSums = 16;
constexpr std::size_t kSumVectors = kSums / kLanes;
struct Sums {
    Batch sum[kSumVectors], excess[kSumVectors];  // what `sum` has too much
    Sums() {
        for (std::size_t v = 0; v < kSumVectors; ++v) sum[v] = excess[v] = Batch(0.0f);
    }
    void add(std::size_t v, Batch value) {
        const Batch wanted = value - excess[v];
        const Batch next = sum[v] + wanted;
        excess[v] = (next - sum[v]) - wanted;
        sum[v] = next;
    }
    float total() const {
        float sums[kSums];
        float excesses[kSums];
        for (std::size_t v = 0; v < kSumVectors; ++v) {
            sum[v].store_unaligned(sums + v * kLanes);
            excess[v].store_unaligned(excesses + v * kLanes);
        }
        return total_of_sums(sums, excesses);
    }
};

void divide(float* values, std::size_t n, float divisor) {
    std::size_t j = 0;
    for (; j + kLanes <= n; j += kLanes)
        (Batch::load_unaligned(values + j) / Batch(divisor)).store_unaligned(values + j);
    for (; j < n; ++j) values[j] /= divisor;
}

void divide_by_sum(float* values, std::size_t n) {
    Sums sums;
    std::size_t j = 0;
    for (; j + kSums <= n; j += kSums) {
        for (std::size_t v = 0; v < kSumVectors; ++v) sums.add(v, Batch::load_unaligned(values + j + v * kLanes));
    }
    if (j < n) {
        float rest[kSums] = {};
        for (std::size_t k = 0; j + k < n; ++k) rest[k] = values[j + k];
        for (std::size_t v = 0; v < kSumVectors; ++v) sums.add(v, Batch::load_unaligned(rest + v * kLanes));
    }
    divide(values, n, sums.total());
}

// The largest of n numbers, n a multiple of 16; -inf when all are NaN.
float max_of(const float* values, std::size_t n) {
    Batch largest[kSumVectors];
    for (Batch& one : largest) one = Batch(-__builtin_inff());
    for (std::size_t j = 0; j < n; j += kSums) {
        for (std::size_t v = 0; v < kSumVectors; ++v) {
            const Batch value = Batch::load_unaligned(values + j + v * kLanes);
            largest[v] = xsimd::select(value > largest[v], value, largest[v]);
        }
    }
    float result = -__builtin_inff();
    for (std::size_t v = 0; v < kSumVectors; ++v) {
        float lanes[kLanes];
        largest[v].store_unaligned(lanes);
        for (const float lane : lanes) result = lane > result ? lane : result;
    }
    return result;
}

// Puts exp(scale(score) - row_max) in the place of each score, n of them, a multiple of 16; returns their sum.
template <class Scale>
float exponentials(float* scores, std::size_t n, Batch row_max, Scale scale) {
    Sums sums;
    for (std::size_t j = 0; j < n; j += kSums) {
        for (std::size_t v = 0; v < kSumVectors; ++v) {
            float* place = scores + j + v * kLanes;
            const Batch value = exp_of_nonpositive(scale(Batch::load_unaligned(place)) - row_max);
            value.store_unaligned(place);
            sums.add(v, value);
        }
    }
    return sums.total();
}

void softmax(float* scores, std::size_t n, float divisor, float* weights) {
    const std::size_t padded = (n + kSums - 1) / kSums * kSums;
    for (std::size_t j = n; j < padded; ++j) scores[j] = -__builtin_inff();
    const Batch row_max(max_of(scores, padded) / divisor);  // that of the quotients: dividing keeps the order
    // Multiplying by the reciprocal of a power of two is the same as dividing by it, and 4 times as fast.
    const float row_sum =
        has_exact_reciprocal(divisor)
            ? exponentials(scores, padded, row_max, [f = Batch(1.0f / divisor)](Batch x) { return x * f; })
            : exponentials(scores, padded, row_max, [d = Batch(divisor)](Batch x) { return x / d; });
    const Batch by(row_sum);
    std::size_t j = 0;
    for (; j + kLanes <= n; j += kLanes) (Batch::load_unaligned(scores + j) / by).store_unaligned(weights + j);
    for (; j < n; ++j) weights[j] = scores[j] / row_sum;
}

}  // namespace

extern const Kernels table;
const Kernels table = {kPanelWidth, kTileRows,     pack,   pack_transposed, multiply,
                       softmax,     divide_by_sum, divide, exp_nonpositive};

}  // namespace attn::simd::ATTN_KERNELS
