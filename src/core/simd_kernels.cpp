// The only file that knows xsimd. See the header for what each kernel promises.
#include "core/simd_kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>
#include <xsimd/xsimd.hpp>

#include "core/check.h"

namespace attn {
namespace {

using Batch = xsimd::batch<float>;
using BitBatch = xsimd::batch<std::uint32_t>;
constexpr std::size_t kLanes = Batch::size;
constexpr std::size_t kPanelWidth = 2 * kLanes;  // columns of b that are worked on together
constexpr std::size_t kTileRows = 4;  // rows of a that are: 8 sums, which fit the 16 registers of SSE and WASM

void check_sizes(std::span<const float> a, std::span<const float> b, std::span<const float> out, ProductSize size) {
    ATTN_CHECK(a.size() == size.rows * size.inner && b.size() == size.inner * size.columns &&
                   out.size() == size.rows * size.columns,
               "a has ", a.size(), ", b ", b.size(), ", out ", out.size(), " elements, want ", size.rows, " x ",
               size.inner, " times ", size.inner, " x ", size.columns);
}

// The sums of `Rows` rows of a with one panel (inner, kPanelWidth) of b; writes the panel's first `width` columns.
// a: first element of the first row, rows `inner` apart. out: where the first sum goes, rows `out_stride` apart.
template <std::size_t Rows>
void multiply_tile(const float* a, const float* panel, std::size_t inner, float* out, std::size_t out_stride,
                   std::size_t width) {
    std::array<std::array<Batch, 2>, Rows> sums;
    for (auto& row : sums) row = {Batch(0.0f), Batch(0.0f)};
    for (std::size_t c = 0; c < inner; ++c) {
        const Batch left = Batch::load_unaligned(panel + c * kPanelWidth);
        const Batch right = Batch::load_unaligned(panel + c * kPanelWidth + kLanes);
        for (std::size_t r = 0; r < Rows; ++r) {
            const Batch factor(a[r * inner + c]);
            sums[r][0] = sums[r][0] + factor * left;
            sums[r][1] = sums[r][1] + factor * right;
        }
    }
    for (std::size_t r = 0; r < Rows; ++r) {
        std::array<float, kPanelWidth> row;
        sums[r][0].store_unaligned(row.data());
        sums[r][1].store_unaligned(row.data() + kLanes);
        std::copy_n(row.begin(), width, out + r * out_stride);
    }
}

// The product, panel by panel. copy_panel(first column, width, panel) fills a panel (inner, kPanelWidth) with columns
// of b; what lies beyond `width` may hold any finite numbers.
template <class CopyPanel>
void multiply_by_panels(const float* a, float* out, ProductSize size, CopyPanel copy_panel) {
    std::vector<float> panel(size.inner * kPanelWidth, 0.0f);
    for (std::size_t first = 0; first < size.columns; first += kPanelWidth) {
        const std::size_t width = std::min(kPanelWidth, size.columns - first);
        copy_panel(first, width, panel.data());
        std::size_t i = 0;
        for (; i + kTileRows <= size.rows; i += kTileRows) {
            multiply_tile<kTileRows>(a + i * size.inner, panel.data(), size.inner, out + i * size.columns + first,
                                     size.columns, width);
        }
        for (; i < size.rows; ++i) {
            multiply_tile<1>(a + i * size.inner, panel.data(), size.inner, out + i * size.columns + first, size.columns,
                             width);
        }
    }
}

// The few operations that exp needs, for one float and for a batch of them.
std::uint32_t bits_of(float x) {
    return std::bit_cast<std::uint32_t>(x);
}
BitBatch bits_of(Batch x) {
    return xsimd::bitwise_cast<std::uint32_t>(x);
}
float float_of(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
}
Batch float_of(BitBatch bits) {
    return xsimd::bitwise_cast<float>(bits);
}
float zero_where_below(float x, float limit, float value) {
    return x < limit ? 0.0f : value;
}
Batch zero_where_below(Batch x, Batch limit, Batch value) {
    return xsimd::select(x < limit, Batch(0.0f), value);
}

// e^x = 2^n * e^r with n = round(x / ln 2) and r = x - n ln 2, |r| <= 0.347; e^r by its Taylor series, whose first
// term left out is r^8 / 8! < 6e-9. `Real` is float or Batch: the same operations in the same order.
template <class Real, class Bits>
Real exp_of_nonpositive(Real x) {
    const Real kRounder(12582912.0f);   // 1.5 * 2^23: adding it leaves round(.) in the low bits of the float
    const Real kLn2High(0.693359375f);  // ln 2 in two parts; n times the first, which has 10 bits, is exact
    const Real kLn2Low(-2.12194440e-4f);
    const Real rounded = x * Real(1.44269504f) + kRounder;  // 1 / ln 2
    const Real n = rounded - kRounder;
    const Real r = (x - n * kLn2High) - n * kLn2Low;
    Real sum(1.0f / 5040);
    for (const float coefficient : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 1.0f / 2, 1.0f, 1.0f}) {
        sum = sum * r + Real(coefficient);
    }
    // n sits in the low bits of `rounded`; moved into the exponent field, beside the bias 127, it makes 2^n.
    const Bits exponent = (bits_of(rounded) << 23) + Bits(127U << 23);
    return zero_where_below(x, Real(-87.3f), sum * float_of(exponent));
}

}  // namespace

namespace simd {

void multiply(std::span<const float> a, std::span<const float> b, std::span<float> out, ProductSize size) {
    check_sizes(a, b, out, size);
    multiply_by_panels(a.data(), out.data(), size, [&](std::size_t first, std::size_t width, float* panel) {
        for (std::size_t c = 0; c < size.inner; ++c) {
            std::copy_n(b.data() + c * size.columns + first, width, panel + c * kPanelWidth);
        }
    });
}

void multiply_by_transposed(std::span<const float> a, std::span<const float> b, std::span<float> out,
                            ProductSize size) {
    check_sizes(a, b, out, size);
    multiply_by_panels(a.data(), out.data(), size, [&](std::size_t first, std::size_t width, float* panel) {
        for (std::size_t j = 0; j < width; ++j) {
            const float* row = b.data() + (first + j) * size.inner;
            for (std::size_t c = 0; c < size.inner; ++c) panel[c * kPanelWidth + j] = row[c];
        }
    });
}

void weighted_sum_of_rows(std::span<const float> factors, std::span<const int> rows, std::span<const float> table,
                          std::span<float> out) {
    ATTN_CHECK(factors.size() == rows.size(), factors.size(), " factors for ", rows.size(), " rows");
    const std::size_t width = out.size();
    constexpr std::size_t kWide = 8 * kLanes;
    std::size_t c = 0;
    for (; c + kWide <= width; c += kWide) {
        std::array<Batch, 8> sums;
        sums.fill(Batch(0.0f));
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const float* row = table.data() + static_cast<std::size_t>(rows[k]) * width + c;
            const Batch factor(factors[k]);
            for (std::size_t s = 0; s < 8; ++s) sums[s] = sums[s] + factor * Batch::load_unaligned(row + s * kLanes);
        }
        for (std::size_t s = 0; s < 8; ++s) sums[s].store_unaligned(out.data() + c + s * kLanes);
    }
    for (; c + kLanes <= width; c += kLanes) {
        Batch sum(0.0f);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            sum = sum + Batch(factors[k]) *
                            Batch::load_unaligned(table.data() + static_cast<std::size_t>(rows[k]) * width + c);
        }
        sum.store_unaligned(out.data() + c);
    }
    for (; c < width; ++c) {
        float sum = 0;
        for (std::size_t k = 0; k < rows.size(); ++k)
            sum += factors[k] * table[static_cast<std::size_t>(rows[k]) * width + c];
        out[c] = sum;
    }
}

void exp_nonpositive(std::span<float> values) {
    std::size_t i = 0;
    for (; i + kLanes <= values.size(); i += kLanes) {
        exp_of_nonpositive<Batch, BitBatch>(Batch::load_unaligned(values.data() + i))
            .store_unaligned(values.data() + i);
    }
    scalar::exp_nonpositive(values.subspan(i));
}

}  // namespace simd

namespace scalar {

void multiply(std::span<const float> a, std::span<const float> b, std::span<float> out, ProductSize size) {
    check_sizes(a, b, out, size);
    for (std::size_t i = 0; i < size.rows; ++i) {
        for (std::size_t j = 0; j < size.columns; ++j) {
            float sum = 0;
            for (std::size_t c = 0; c < size.inner; ++c) sum += a[i * size.inner + c] * b[c * size.columns + j];
            out[i * size.columns + j] = sum;
        }
    }
}

void multiply_by_transposed(std::span<const float> a, std::span<const float> b, std::span<float> out,
                            ProductSize size) {
    check_sizes(a, b, out, size);
    for (std::size_t i = 0; i < size.rows; ++i) {
        for (std::size_t j = 0; j < size.columns; ++j) {
            float sum = 0;
            for (std::size_t c = 0; c < size.inner; ++c) sum += a[i * size.inner + c] * b[j * size.inner + c];
            out[i * size.columns + j] = sum;
        }
    }
}

void weighted_sum_of_rows(std::span<const float> factors, std::span<const int> rows, std::span<const float> table,
                          std::span<float> out) {
    for (std::size_t c = 0; c < out.size(); ++c) {
        float sum = 0;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            sum += factors[k] * table[static_cast<std::size_t>(rows[k]) * out.size() + c];
        }
        out[c] = sum;
    }
}

void exp_nonpositive(std::span<float> values) {
    for (float& value : values) value = exp_of_nonpositive<float, std::uint32_t>(value);
}

}  // namespace scalar
}  // namespace attn
