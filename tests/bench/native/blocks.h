// Attention around a library's matrix product: what the programs of OpenBLAS and Eigen share.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/native/program.h"

namespace attn::bench {

// One matrix product of a library: result (rows, columns) = factor * a (rows, inner) times b (inner, columns), or times
// the transpose of b (columns, inner). Row-major; the strides are the distances of rows.
struct Product {
    int rows = 0, columns = 0, inner = 0;
    float factor = 1;
    const float* a = nullptr;
    int a_stride = 0;
    const float* b = nullptr;
    int b_stride = 0;
    bool is_b_transposed = false;
    float* result = nullptr;
    int result_stride = 0;
};

// The softmax of the first `visible` of `row`; 0 for the others.
inline void softmax(std::span<float> row, int visible) {
    const std::span<float> shown = row.first(static_cast<std::size_t>(visible));
    const float row_max = *std::max_element(shown.begin(), shown.end());
    float row_sum = 0;
    for (float& number : shown) {
        number = std::exp(number - row_max);
        row_sum += number;
    }
    for (float& number : shown) number /= row_sum;
    std::fill(row.begin() + visible, row.end(), 0.0f);
}

// rows_a_block: so many queries at a time, with the keys up to the last of them; T: the dense form. multiply(Product).
template <class Multiply>
Prepare attention_by(Multiply multiply, bool is_dense) {
    return [=](const Problem& problem, bool with_weights) -> Attend {
        const int T = problem.num_tokens;
        const int d_out = problem.d_out;
        const auto size = [](int rows, int columns) {
            return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
        };
        const int rows_a_block = is_dense ? T : std::min(T, 128);
        std::vector<float> query(size(T, d_out)), key(size(T, d_out)), value(size(T, d_out)), context(size(T, d_out));
        std::vector<float> weights(size(with_weights ? problem.num_heads * T : rows_a_block, T));
        return [=, &problem]() mutable -> Answer {
            const float factor = 1 / std::sqrt(static_cast<float>(problem.head_dim()));
            const int d_in = problem.d_in;
            const auto project = [&](const std::vector<float>& w, float scale, std::vector<float>& result) {
                multiply(Product{T, d_out, d_in, scale, problem.x.data(), d_in, w.data(), d_out, false, result.data(),
                                 d_out});
            };
            project(problem.w_query, factor, query);
            project(problem.w_key, 1, key);
            project(problem.w_value, 1, value);
            for (int h = 0; h < problem.num_heads; ++h) {
                const int column = h * problem.head_dim();
                for (int first = 0; first < T; first += rows_a_block) {
                    const int rows = std::min(rows_a_block, T - first);
                    const int keys = is_dense ? T : first + rows;
                    float* const block = weights.data() + (with_weights ? size(h * T + first, T) : 0);
                    multiply(Product{rows, keys, problem.head_dim(), 1, query.data() + size(first, d_out) + column,
                                     d_out, key.data() + column, d_out, true, block, T});
                    for (int i = 0; i < rows; ++i) {
                        const int columns = with_weights ? T : keys;
                        softmax({block + size(i, T), static_cast<std::size_t>(columns)}, first + i + 1);
                    }
                    multiply(Product{rows, problem.head_dim(), keys, 1, block, T, value.data() + column, d_out, false,
                                     context.data() + size(first, d_out) + column, d_out});
                }
            }
            return {context, with_weights ? std::span<const float>(weights) : std::span<const float>()};
        };
    };
}

}  // namespace attn::bench
