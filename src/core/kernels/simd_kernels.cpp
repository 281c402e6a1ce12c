// The kernels on SIMD lanes. Compiled once for what every processor of the platform has
// and once more for each wider instruction set (see CMakeLists.txt), each time into a namespace of its own. No inline
// function of the standard library stands here: compiled for a wider set, the linker could pick it for all the program.
// plain_kernels.cpp computes the same in plain loops: read that first.
#include "core/kernels/simd_kernels.h"

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "core/kernels/kernel_sets.h"
#include "core/kernels/simd_exp.h"

#ifndef ATTN_KERNELS
#define ATTN_KERNELS baseline
#endif

#ifdef __clang__
#define ATTN_NOT_UNROLLED _Pragma("clang loop unroll(disable)")
#else
#define ATTN_NOT_UNROLLED _Pragma("GCC unroll 1")
#endif

namespace attn::simd::ATTN_KERNELS {
namespace {

using Batch = xsimd::batch<float>;
constexpr std::size_t kLanes = Batch::size;

// A tile of sums lives in registers: kTileRows rows of two vectors. 4 x 2 sums, two vectors of the panel and a number
// of `a` fit the 16 registers of SSE, AVX and V8, and 8 sums are enough for two additions a cycle that take 3 to 4
// cycles each. AVX-512 has 32 registers: 8 x 2 sums halve the loads a product needs.
constexpr std::size_t kTileRows = kLanes == 16 ? 8 : 4;
constexpr std::size_t kPanelWidth = 2 * kLanes;

// So many rows of a panel (16, 16 or 32 KiB) stay in the first cache, with the same stretch of a tile's rows of `a`. A
// sum that is at most half longer is not cut: each cut stores the sums and loads them again.
constexpr std::size_t kInnerAtOnce = kLanes == 4 ? 512 : 256;
constexpr std::size_t kFloatsAtOnce = 4096;

// `Rows` rows of a times `Vectors` vectors of each row of a panel. IsTile: a is a tile of pack_rows(). Rows that lie
// apart take an addition each to find their next number, a tile takes one for all: V8 then runs at the peak, 12 %
// faster. Inlined into what calls it, S4 (tests/bench/problems.mjs) takes 6 % longer there.
template <std::size_t Rows, std::size_t Vectors, bool IsTile>
[[gnu::noinline]] void multiply_tile(const float* a, std::size_t a_stride, const float* panel, std::size_t inner,
                                     float* out, std::size_t out_stride, bool goes_on) {
    Batch sums[Rows][Vectors];
    for (std::size_t r = 0; r < Rows; ++r) {
        for (std::size_t v = 0; v < Vectors; ++v) {
            sums[r][v] = goes_on ? Batch::load_unaligned(out + r * out_stride + v * kLanes) : Batch(0.0f);
        }
    }
    // One row of the panel at a time: unrolled, V8 loads ahead for several and runs out of registers (half the speed).
    ATTN_NOT_UNROLLED
    for (const float* const end = panel + inner * kPanelWidth; panel != end;
         panel += kPanelWidth, a += IsTile ? Rows : 1) {
        Batch row[Vectors];
        for (std::size_t v = 0; v < Vectors; ++v) row[v] = Batch::load_unaligned(panel + v * kLanes);
        for (std::size_t r = 0; r < Rows; ++r) {
            const Batch factor(a[IsTile ? r : r * a_stride]);
            for (std::size_t v = 0; v < Vectors; ++v) sums[r][v] = sums[r][v] + factor * row[v];
        }
    }
    for (std::size_t r = 0; r < Rows; ++r) {
        for (std::size_t v = 0; v < Vectors; ++v) sums[r][v].store_unaligned(out + r * out_stride + v * kLanes);
    }
}

// All rows, in tiles of `Rows` and then of half as many, down to 1; each tile with all panels. IsTiled: a is in tiles
// already, whole ones; a_stride is their number of columns.
template <std::size_t Rows, bool IsTiled>
void multiply_rows(const float* a, std::size_t a_stride, std::size_t rows, const float* panels,
                   std::size_t panel_stride, std::size_t inner, std::size_t columns, float* out, std::size_t out_stride,
                   bool goes_on) {
    std::size_t i = 0;
    for (; i + Rows <= rows; i += Rows, a += Rows * a_stride, out += Rows * out_stride) {
        const float* panel = panels;
        std::size_t j = 0;
        for (; j + kLanes < columns; j += kPanelWidth, panel += panel_stride) {
            multiply_tile<Rows, 2, IsTiled>(a, a_stride, panel, inner, out + j, out_stride, goes_on);
        }
        // What lies right of the first vector is 0.
        if (j < columns) multiply_tile<Rows, 1, IsTiled>(a, a_stride, panel, inner, out + j, out_stride, goes_on);
    }
    if constexpr (Rows > 1 && !IsTiled) {
        if (i == rows) return;
        multiply_rows<Rows / 2, IsTiled>(a, a_stride, rows - i, panels, panel_stride, inner, columns, out, out_stride,
                                         goes_on);
    }
}

template <bool IsTiled>
void multiply_panels(const float* a, std::size_t a_stride, std::size_t rows, const float* panels,
                     std::size_t panel_stride, std::size_t inner, std::size_t columns, float* out,
                     std::size_t out_stride, bool goes_on) {
    // Short panels are taken together, as many as stay in the first cache beside the rest, so that rows of `out` are
    // written in long runs: one panel's width at a time, 64 rows of 2,048 numbers took five times as long.
    const std::size_t panel_floats = inner * kPanelWidth + 1;  // never 0
    const std::size_t together = panel_floats < kFloatsAtOnce ? kFloatsAtOnce / panel_floats : 1;
    for (std::size_t first = 0; first < columns; first += together * kPanelWidth, panels += together * panel_stride) {
        const std::size_t rest = columns - first;
        const std::size_t width = rest < together * kPanelWidth ? rest : together * kPanelWidth;
        std::size_t c = 0;
        do {
            const std::size_t length = inner - c <= kInnerAtOnce + kInnerAtOnce / 2 ? inner - c : kInnerAtOnce;
            multiply_rows<kTileRows, IsTiled>(a + (IsTiled ? c * kTileRows : c), a_stride, rows,
                                              panels + c * kPanelWidth, panel_stride, length, width, out + first,
                                              out_stride, goes_on || c != 0);
            c += length;
        } while (c < inner);
    }
}

void multiply(const float* a, std::size_t a_stride, std::size_t rows, const float* panels, std::size_t panel_stride,
              std::size_t inner, std::size_t columns, float* out, std::size_t out_stride, bool goes_on) {
    multiply_panels<false>(a, a_stride, rows, panels, panel_stride, inner, columns, out, out_stride, goes_on);
}

void multiply_tiles(const float* tiles, std::size_t rows, const float* panels, std::size_t panel_stride,
                    std::size_t inner, std::size_t columns, float* out, std::size_t out_stride) {
    multiply_panels<true>(tiles, inner, rows, panels, panel_stride, inner, columns, out, out_stride, false);
}

// to(c, r) = from(r, c) for `rows` rows of `columns` numbers; rows of `to` lie `width` apart, 0 from `rows` on.
void interleave(const float* from, std::size_t stride, std::size_t rows, std::size_t columns, float* to,
                std::size_t width) {
    using Four = xsimd::make_sized_batch_t<float, 4>;
    const std::size_t rest = rows % 4;
    for (std::size_t r = 0; r < rows - rest; r += 4, from += 4 * stride) {
        std::size_t c = 0;
        for (; c + 4 <= columns; c += 4) {
            Four square[4];
            for (std::size_t k = 0; k < 4; ++k) square[k] = Four::load_unaligned(from + k * stride + c);
            xsimd::transpose(square, square + 4);
            for (std::size_t k = 0; k < 4; ++k) square[k].store_unaligned(to + (c + k) * width + r);
        }
        for (; c < columns; ++c) {
            for (std::size_t k = 0; k < 4; ++k) to[c * width + r + k] = from[k * stride + c];
        }
    }
    const std::size_t left = width - (rows - rest);
    to += rows - rest;
    for (std::size_t c = 0; left > 0 && c < columns; ++c, to += width) {
        for (std::size_t k = 0; k < rest; ++k) to[k] = from[k * stride + c];
        for (std::size_t k = rest; k < left; ++k) to[k] = 0;
    }
}

void pack_rows(const float* a, std::size_t a_stride, std::size_t rows, std::size_t inner, float* tiles) {
    for (std::size_t i = 0; i < rows; i += kTileRows, tiles += kTileRows * inner) {
        interleave(a + i * a_stride, a_stride, kTileRows, inner, tiles, kTileRows);
    }
}

void pack(const float* b, std::size_t stride, std::size_t inner, std::size_t columns, float* panels) {
    // Some panels side by side, so that four lines of the cache are read of each row: read alone, each would be a miss.
    constexpr std::size_t kColumns = 64;
    std::size_t first = 0;
    for (; first + kColumns <= columns; first += kColumns, panels += kColumns * inner) {
        for (std::size_t c = 0; c < inner; ++c) {
            const float* row = b + c * stride + first;
            float* to = panels + c * kPanelWidth;
            for (std::size_t j = 0; j < kColumns; j += kPanelWidth, to += inner * kPanelWidth) {
                Batch::load_unaligned(row + j).store_unaligned(to);
                Batch::load_unaligned(row + j + kLanes).store_unaligned(to + kLanes);
            }
        }
    }
    for (; first < columns; first += kPanelWidth) {
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
    for (std::size_t first = 0; first < columns; first += kPanelWidth, panels += kPanelWidth * inner) {
        const std::size_t width = columns - first < kPanelWidth ? columns - first : kPanelWidth;
        interleave(b + first * stride, stride, width, inner, panels, kPanelWidth);
    }
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
    // In pairs 8, 4, 2 and 1 apart, the last two in double.
    float total() const {
        Batch sums[kSumVectors];
        for (std::size_t v = 0; v < kSumVectors; ++v) sums[v] = sum[v] - excess[v];
        for (std::size_t half = kSumVectors / 2; half >= 1; half /= 2) {
            for (std::size_t v = 0; v < half; ++v) sums[v] = sums[v] + sums[v + half];
        }
        float lanes[kLanes];
        sums[0].store_unaligned(lanes);
        for (std::size_t half = kLanes / 2; half >= 4; half /= 2) {
            for (std::size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
        }
        const double even = static_cast<double>(lanes[0]) + static_cast<double>(lanes[2]);
        const double odd = static_cast<double>(lanes[1]) + static_cast<double>(lanes[3]);
        return static_cast<float>(even + odd);
    }
};

void divide(float* values, std::size_t n, float divisor) {
    std::size_t j = 0;
    for (; j + kLanes <= n; j += kLanes)
        (Batch::load_unaligned(values + j) / Batch(divisor)).store_unaligned(values + j);
    for (; j < n; ++j) values[j] /= divisor;
}

// The sums of n numbers, which stand in whole vectors, filled up with 0.
Sums sums_of(const float* values, std::size_t n) {
    Sums sums;
    std::size_t j = 0;
    for (; j + kSums <= n; j += kSums) {
        for (std::size_t v = 0; v < kSumVectors; ++v) sums.add(v, Batch::load_unaligned(values + j + v * kLanes));
    }
    for (std::size_t v = 0; v < kSumVectors; ++v) {
        if (j + v * kLanes < n) sums.add(v, Batch::load_unaligned(values + j + v * kLanes));
    }
    return sums;
}

void divide_by_sum(float* values, std::size_t n) {
    const std::size_t num_rest = n % kSums;
    const float* from = values + (n - num_rest);
    Sums sums = sums_of(values, n - num_rest);
    float rest[kSums] = {};
    for (std::size_t k = 0; k < num_rest; ++k) rest[k] = from[k];
    for (std::size_t v = 0; v < kSumVectors; ++v) sums.add(v, Batch::load_unaligned(rest + v * kLanes));
    divide(values, n, sums.total());
}

// 1 in 16 places, then 0: read from 16 - k on, it says which of a vector's lanes are the first k.
constexpr float kFirst[32] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

// The first `count` lanes; the others become `other`.
Batch first_of(Batch values, std::size_t count, float other) {
    return xsimd::select(Batch::load_unaligned(kFirst + 16 - count) > Batch(0.0f), values, Batch(other));
}

// -inf in the places n to `end`, a whole number of vectors.
void fill_up(float* values, std::size_t n, std::size_t end) {
    const Batch none(-__builtin_inff());
    std::size_t j = n / kLanes * kLanes;
    if (j < n) {
        first_of(Batch::load_unaligned(values + j), n - j, -__builtin_inff()).store_unaligned(values + j);
        j += kLanes;
    }
    for (; j < end; j += kLanes) none.store_unaligned(values + j);
}

// Whether x * (1 / divisor) is x / divisor for every x: a power of two, 2^-126 to 2^126.
bool has_exact_reciprocal(float divisor) {
    const auto bits = __builtin_bit_cast(std::uint32_t, divisor);
    const std::uint32_t exponent = bits >> 23;
    return (bits & 0x7fffffU) == 0 && exponent >= 1 && exponent <= 253;
}

// Division by what scores are divided by. Multiplying by the reciprocal of a power of two is the same, and 4 times as
// fast.
struct Scale {
    Batch divisor, reciprocal;
    bool is_exact;
    Batch operator()(Batch x) const { return is_exact ? x * reciprocal : x / divisor; }
};

// weights = values / divisor for n numbers; up to `room` of them whole vectors are written, with 0 from n on.
void divide_into(const float* values, std::size_t n, Batch divisor, float* weights, std::size_t room) {
    std::size_t j = 0;
    for (; j + kLanes <= n; j += kLanes) (Batch::load_unaligned(values + j) / divisor).store_unaligned(weights + j);
    if (j == n) return;
    const Batch rest = first_of(Batch::load_unaligned(values + j) / divisor, n - j, 0);
    if (j + kLanes <= room) return rest.store_unaligned(weights + j);
    float lanes[kLanes];
    rest.store_unaligned(lanes);
    for (std::size_t k = 0; j + k < room; ++k) weights[j + k] = lanes[k];
}

// The softmax of some rows, column by column: rows do not wait for each other, and a loop ends once for all of them.
// Unrolled, V8 takes longer; what is done once a row is no quicker unrolled, and the engine's module has 90 KB.
constexpr std::size_t kTogether = 4;

void softmax_together(const SoftmaxRows& places, const std::size_t* counts, std::size_t rows, float divisor,
                      const Scale& scale) {
    float* scores[kTogether];
    std::size_t most = 0;
    // Of fewer rows the last one is taken several times, which writes the same numbers again and takes no longer.
    for (std::size_t r = 0; r < kTogether; ++r) {
        const std::size_t row = r < rows ? r : rows - 1;
        scores[r] = places.scores + row * places.scores_stride;
        most = counts[row] > most ? counts[row] : most;
    }
    const std::size_t end = (most + kLanes - 1) / kLanes * kLanes;
    ATTN_NOT_UNROLLED
    for (std::size_t r = 0; r < rows; ++r) fill_up(places.scores + r * places.scores_stride, counts[r], end);

    // With a NaN in the row, that or the largest of the others: their exponentials are divided by NaN either way.
    Batch largest[kTogether];
    for (std::size_t r = 0; r < kTogether; ++r) largest[r] = Batch(-__builtin_inff());
    ATTN_NOT_UNROLLED
    for (std::size_t j = 0; j < end; j += kLanes) {
        for (std::size_t r = 0; r < kTogether; ++r) {
            largest[r] = xsimd::max(Batch::load_unaligned(scores[r] + j), largest[r]);
        }
    }
    // The largest of the quotients is the quotient of the largest: dividing keeps the order.
    for (std::size_t r = 0; r < kTogether; ++r) largest[r] = Batch(xsimd::reduce_max(largest[r]) / divisor);

    constexpr std::size_t kAtOnce = 64;  // columns: their parts stay in the first cache
    float parts[kTogether * kAtOnce * 2];
    for (std::size_t first = 0; first < end; first += kAtOnce) {
        const std::size_t last = end - first < kAtOnce ? end : first + kAtOnce;
        float* part = parts;
        ATTN_NOT_UNROLLED
        for (std::size_t j = first; j < last; j += kLanes) {
            for (std::size_t r = 0; r < kTogether; ++r, part += 2 * kLanes) {
                const ExpParts<Batch> exp = split_exp(scale(Batch::load_unaligned(scores[r] + j)) - largest[r]);
                exp.r.store_unaligned(part);
                exp.power.store_unaligned(part + kLanes);
            }
        }
        part = parts;
        ATTN_NOT_UNROLLED
        for (std::size_t j = first; j < last; j += kLanes) {
            for (std::size_t r = 0; r < kTogether; ++r, part += 2 * kLanes) {
                const ExpParts<Batch> exp = {Batch::load_unaligned(part), Batch::load_unaligned(part + kLanes)};
                join_exp(exp).store_unaligned(scores[r] + j);
            }
        }
    }

    ATTN_NOT_UNROLLED
    for (std::size_t r = 0; r < rows; ++r) {
        const float* exps = places.scores + r * places.scores_stride;
        const Batch sum(sums_of(exps, end).total());
        divide_into(exps, counts[r], sum, places.weights + r * places.weights_stride, places.room);
    }
}

void softmax(const SoftmaxRows& places, const std::size_t* counts, std::size_t rows, float divisor) {
    const Scale scale = {Batch(divisor), Batch(1.0f / divisor), has_exact_reciprocal(divisor)};
    SoftmaxRows at = places;
    for (std::size_t left = rows; left > 0;) {
        const std::size_t done = left < kTogether ? left : kTogether;
        softmax_together(at, counts, done, divisor, scale);
        at.scores += done * at.scores_stride;
        at.weights += done * at.weights_stride;
        counts += done;
        left -= done;
    }
}

}  // namespace

extern const Kernels table;
const Kernels table = {kPanelWidth,    kTileRows, pack,          pack_transposed, multiply,       pack_rows,
                       multiply_tiles, softmax,   divide_by_sum, divide,          exp_nonpositive};

}  // namespace attn::simd::ATTN_KERNELS
