// See attention_reference.h.
#include "core/attention/attention_reference.h"

#include <cmath>

namespace attn {
namespace {

// Row i of X . W, column c.
double projected(const AttentionProblem& problem, const Matrix& w, int i, int c) {
    double sum = 0;
    for (int k = 0; k < problem.d_in(); ++k)
        sum += static_cast<double>(problem.embeddings(i, k)) * static_cast<double>(w(k, c));
    return sum;
}

}  // namespace

ReferenceAttention attend_reference(const AttentionProblem& problem) {
    const Projections& p = problem.projections;
    const int T = problem.num_tokens(), num_heads = problem.settings.num_heads, head_dim = problem.head_dim();
    ReferenceAttention result{.weights = zeros<CubeD>(num_heads, T, T), .merged = zeros<MatrixD>(T, problem.d_out())};
    for (int h = 0; h < num_heads; ++h) {
        for (int i = 0; i < T; ++i) {
            double row_sum = 0;
            for (int j = 0; j < T; ++j) {
                if (problem.hidden(i, j) != 0) continue;
                double score = 0;
                for (int c = h * head_dim; c < (h + 1) * head_dim; ++c)
                    score += projected(problem, p.w_query, i, c) * projected(problem, p.w_key, j, c);
                result.weights(h, i, j) = std::exp(score / std::sqrt(head_dim));
                row_sum += result.weights(h, i, j);
            }
            for (int j = 0; j < T; ++j) result.weights(h, i, j) /= row_sum;
            for (int c = h * head_dim; c < (h + 1) * head_dim; ++c) {
                for (int j = 0; j < T; ++j)
                    result.merged(i, c) += result.weights(h, i, j) * projected(problem, p.w_value, j, c);
            }
        }
    }
    return result;
}

}  // namespace attn
