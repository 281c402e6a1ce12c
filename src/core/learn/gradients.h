// The backward pass, fast: float, with the forward pass's kernels. Its plain twin is gradients_reference.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/ground/float_buffer.h"
#include "core/kernels/panels.h"
#include "core/learn/goal.h"

namespace attn {

// Gradients of the loss, each in the shape of its tensor; size 0 where the forward pass has no such tensor. Those at
// weights, masked and scaled scores follow from these.
struct Gradients {
    double loss = 0;          // infinite where a wished weight is 0
    Matrix output, merged;    // (T, d_out)
    Cube scores;              // (num_heads, T, T), before the division
    Cube query, key, value;   // (num_heads, T, head_dim), of typed numbers, too
    Matrix embeddings;        // (T, d_in)
    Projections projections;  // at w_query ... b_out
};

// Computes gradients. Keeps its memory, so that the same sizes again allocate nothing.
class BackwardPass {
public:
    // `trace` is what attend() gives for this problem. A typed query, key or value stops the gradient: behind it
    // neither matrices nor embeddings get any. Cost: about twice that of attend(). Valid until the next call.
    const Gradients& run(const AttentionProblem& problem, const AttentionTrace& trace, const Goal& goal);

    // Those of the last run.
    const Gradients& gradients() const { return gradients_; }

private:
    struct Role;  // queries, keys or values on their way back through their matrix

    void give_shapes(const AttentionProblem& problem);
    void begin_at_logits(const AttentionTrace& trace, const Goal& goal);
    void through_output(const AttentionProblem& problem, const AttentionTrace& trace);
    void scores_of_wishes(const AttentionProblem& problem, const AttentionTrace& trace, const Goal& goal);
    void through_mixing(const AttentionProblem& problem, const AttentionTrace& trace, int h);
    void mixing_block(const AttentionProblem& problem, const AttentionTrace& trace, int h, int first, int end);
    void scores_of_row(const AttentionProblem& problem, const AttentionTrace& trace, int h, int i,
                       std::span<float> at_weights);
    void through_scores(const AttentionProblem& problem, const AttentionTrace& trace, int h);
    void through_role(const AttentionProblem& problem, const Role& role);
    void add_transposed(const float* block, std::size_t stride, std::size_t rows, std::size_t columns,
                        const Panels& factor, FloatBuffer& sums);
    void transpose_factor(const Matrix& x);
    void at_matrix(std::size_t rows, const Matrix& gradient, Matrix& at);

    Gradients gradients_;
    std::vector<int> seen_;  // (T), one more than the last key that can have a gradient in this row
    Panels factor_;
    FloatBuffer product_, transposed_, sums_;
    Matrix at_role_, mixed_;
    Vector shares_;
};

}  // namespace attn
