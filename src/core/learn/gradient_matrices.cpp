// The end of the backward pass: from queries, keys and values to their matrices, latents and the embeddings.
#include <algorithm>

#include "core/learn/gradient_blocks.h"
#include "core/learn/gradients.h"

namespace attn {

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
