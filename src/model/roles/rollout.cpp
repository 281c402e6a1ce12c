// Plain loops in double: texts that are drawn whole have some hundred tokens.
#include "model/roles/rollout.h"

#include <cstddef>
#include <span>
#include <utility>

#include "core/ground/check.h"

namespace attn {

MatrixD mean_of_heads(const WeightRows& weights) {
    const int T = weights.num_tokens(), num_heads = weights.num_heads();
    MatrixD mean = zeros<MatrixD>(T, T);
    for (int h = 0; h < num_heads; ++h) {
        for (int i = 0; i < T; ++i) {
            const std::span<const float> row = row_of(weights, h, i);
            for (int j = 0; j < T; ++j) mean(i, j) += static_cast<double>(row[static_cast<std::size_t>(j)]);
        }
    }
    for (double& one : elements(mean)) one /= num_heads;
    return mean;
}

void Rollout::add_layer(const MatrixD& mean) {
    const int T = length(mean, 0);
    ATTN_CHECK(length(mean, 1) == T && (matrix_.size() == 0 || length(matrix_, 0) == T), "a mean of ", T, " rows");
    MatrixD next = zeros<MatrixD>(T, T);
    for (int i = 0; i < T; ++i) {
        if (matrix_.size() == 0) {
            for (int j = 0; j < T; ++j) next(i, j) = (mean(i, j) + (i == j ? 1 : 0)) / 2;
            continue;
        }
        for (int k = 0; k < T; ++k) {
            const double share = (mean(i, k) + (i == k ? 1 : 0)) / 2;
            if (share == 0) continue;
            for (int j = 0; j < T; ++j) next(i, j) += share * matrix_(k, j);
        }
    }
    matrix_ = std::move(next);
}

}  // namespace attn
