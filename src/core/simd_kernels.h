// The hot loops of attention on plain arrays, each with a plain scalar twin of the same name for tests.
// Every result is the same bits for any number of SIMD lanes and for any array length: lanes hold different results,
// never parts of one sum, each sum runs in the order written here, and products are rounded before they are added (no
// FMA). So desktop and web agree, and a row does not change when other rows or columns are added.
#pragma once

#include <cstddef>
#include <span>

namespace attn {

// Sizes of a product: a (rows, inner) times b (inner, columns), all row-major.
struct ProductSize {
    std::size_t rows, inner, columns;
};

namespace simd {

// out(i, j) = sum over c = 0, 1, ... of a(i, c) * b(c, j). a (rows, inner), b (inner, columns), out (rows, columns).
void multiply(std::span<const float> a, std::span<const float> b, std::span<float> out, ProductSize size);

// out(i, j) = sum over c of a(i, c) * b(j, c), the dot products of rows: b is (columns, inner).
void multiply_by_transposed(std::span<const float> a, std::span<const float> b, std::span<float> out, ProductSize size);

// out(c) = sum over k = 0, 1, ... of factors[k] * table(rows[k], c). table (any, out.size()); factors and rows go in
// pairs.
void weighted_sum_of_rows(std::span<const float> factors, std::span<const int> rows, std::span<const float> table,
                          std::span<float> out);

// x becomes e^x, for x <= 0. Down to x = -87.3 it is off by at most 1.3 units in the last place (1.22 was the worst of
// all floats there); below, where floats lose their precision (e^x < 1.2e-38), it is 0. e^0 is exactly 1, e^-inf is 0,
// NaN stays NaN.
void exp_nonpositive(std::span<float> values);

}  // namespace simd

namespace scalar {

void multiply(std::span<const float> a, std::span<const float> b, std::span<float> out, ProductSize size);
void multiply_by_transposed(std::span<const float> a, std::span<const float> b, std::span<float> out, ProductSize size);
void weighted_sum_of_rows(std::span<const float> factors, std::span<const int> rows, std::span<const float> table,
                          std::span<float> out);
void exp_nonpositive(std::span<float> values);

}  // namespace scalar
}  // namespace attn
