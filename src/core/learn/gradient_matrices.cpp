// The end of the backward pass: from what the scores are made of to queries and keys, and from these and the values to
// their matrices, latents and the embeddings.
#include <algorithm>
#include <utility>

#include "core/attention/rms_norm.h"
#include "core/fast/changed_rows.h"
#include "core/learn/gradient_blocks.h"
#include "core/learn/gradients.h"

namespace attn {

// From the rotated queries and keys, whose gradients stand in `query` and `key`, to those before.
void BackwardPass::through_turns(const AttentionProblem& problem) {
    Gradients& g = gradients_;
    const int own = problem.rope_dim();
    if (own == 0) {
        g.rotated_query = g.query;
        g.rotated_key = g.key;
        for (Cube* heads : {&g.query, &g.key}) rotate_back_heads(problem, *heads);
        return;
    }
    const auto dim = static_cast<std::size_t>(problem.head_dim());
    const int T = problem.num_tokens();
    const auto take = [&](Cube& heads, Cube& rotated, Cube& turned) {
        rotated = std::move(heads);
        heads = Cube();
        clear(heads, length(rotated, 0), T, problem.head_dim());
        clear(turned, length(rotated, 0), T, own);
        for (int h = 0; h < length(rotated, 0); ++h) {
            for (int i = 0; i < T; ++i) {
                const std::span<const float> both = row_of(std::as_const(rotated), h, i);
                std::copy_n(both.begin(), dim, row_of(heads, h, i).begin());
                std::ranges::copy(both.subspan(dim), row_of(turned, h, i).begin());
            }
        }
        rotate_back_heads(problem, turned);
    };
    Cube of_heads;  // position keys as each key head reads them
    take(g.query, g.rotated_query, g.position_query);
    take(g.key, g.rotated_key, of_heads);
    clear(g.position_key, T, own);
    for (int h = 0; h < length(of_heads, 0); ++h) {
        for (int i = 0; i < T; ++i) {
            const std::span<const float> more = row_of(std::as_const(of_heads), h, i);
            const std::span<float> sums = row_of(g.position_key, i);
            for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += more[c];
        }
    }
}

// From the normed queries and keys, whose gradients stand in `query` and `key`, to those before, and to the weights.
void BackwardPass::through_norms(const AttentionProblem& problem, const AttentionTrace& trace) {
    const auto back = [&](const Cube& x, const Vector& weight, Cube& heads, Cube& normed, Vector& at_weight) {
        normed = heads;
        for (int h = 0; h < length(x, 0); ++h) {
            for (int i = 0; i < problem.num_tokens(); ++i)
                rms_norm_back(row_of(x, h, i), elements(weight), kQueryKeyNormEps, row_of(std::as_const(normed), h, i),
                              row_of(heads, h, i), elements(at_weight));
        }
    };
    const Projections& p = problem.projections;
    Gradients& g = gradients_;
    back(trace.query, p.q_norm, g.query, g.normed_query, g.projections.q_norm);
    back(trace.key, p.k_norm, g.key, g.normed_key, g.projections.k_norm);
}

// From a role's heads to its matrix, its bias and what it was projected from, whose transpose transpose_factor() had.
void BackwardPass::through_role(const AttentionProblem& problem, const Role& role, Matrix& at_source) {
    const std::size_t T = problem.embeddings.shape(0);
    const std::size_t head_dim = role.at_heads.shape(2);
    const std::size_t role_width = role.at_heads.shape(0) * head_dim;
    at_role_.resize({T, role_width});
    for (std::size_t h = 0; h < role.at_heads.shape(0); ++h) {
        const float* head = role.at_heads.data() + h * T * head_dim;
        for (std::size_t i = 0; i < T; ++i) std::copy_n(head + i * head_dim, head_dim, &at_role_(i, h * head_dim));
    }
    for (const TypedNumber& typed : problem.typed_roles) {
        if (typed.role == role.id) at_role_(typed.row, typed.column) = 0;
    }
    if (role.b.size() != 0) add_rows(at_role_, role.at_b);
    if (role.w.size() != 0) at_matrix(role.w.shape(0), at_role_, role.at_w);
    add_product_to(at_source, at_role_.data(), role_width, role.w);
}

// From the latents to what made them of the embeddings, whose transpose transpose_factor() had last.
void BackwardPass::through_down(const Matrix& w, const Matrix& at_latents, Matrix& at_w) {
    at_matrix(w.shape(0), at_latents, at_w);
    add_product_to(gradients_.embeddings, at_latents.data(), w.shape(1), w);
}

// at_source += gradient . w^T; without a matrix the gradient itself.
void BackwardPass::add_product_to(Matrix& at_source, const float* gradient, std::size_t columns, const Matrix& w) {
    const std::size_t T = at_source.shape(0);
    const std::size_t width = at_source.shape(1);
    const float* more = gradient;
    std::size_t stride = columns;
    if (w.size() != 0) {
        factor_.pack_transposed(w.data(), columns, columns, width);
        stride = factor_.row_stride();
        reserve(product_, T * stride);
        factor_.multiply(gradient, columns, T, product_.data());
        more = product_.data();
    }
    for (std::size_t i = 0; i < T; ++i) {
        float* sums = at_source.data() + i * width;
        for (std::size_t k = 0; k < width; ++k) sums[k] += more[i * stride + k];
    }
}

// sums (columns, ...) += block^T . factor, for a block (rows, columns).
void BackwardPass::add_transposed(const float* block, std::size_t stride, std::size_t rows, std::size_t columns,
                                  const Panels& factor, FloatBuffer& sums) {
    reserve(transposed_, rows * columns);
    transpose(block, stride, rows, columns, transposed_.data());
    factor.multiply(transposed_.data(), rows, columns, sums.data(), true);
}

void BackwardPass::transpose_factor(const Matrix& x) {
    reserve(transposed_, x.size());
    transpose(x.data(), x.shape(1), x.shape(0), x.shape(1), transposed_.data());
}

// at = x^T . gradient, for the x (., rows) that transpose_factor() had last.
void BackwardPass::at_matrix(std::size_t rows, const Matrix& gradient, Matrix& at) {
    const std::size_t T = gradient.shape(0);
    const std::size_t columns = gradient.shape(1);
    factor_.pack(gradient.data(), columns, T, columns);
    if (factor_.row_stride() == columns) return factor_.multiply(transposed_.data(), T, rows, at.data());
    reserve(product_, rows * factor_.row_stride());
    factor_.multiply(transposed_.data(), T, rows, product_.data());
    copy_rows(product_.data(), factor_.row_stride(), rows, columns, at.data());
}

}  // namespace attn
