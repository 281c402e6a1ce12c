// The backward pass, fast: float, with the forward pass's kernels. Its plain twin is core/operations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/attention/goal.h"
#include "core/ground/float_buffer.h"
#include "core/kernels/panels.h"

namespace attn {

// Gradients of the loss, each in the shape of its tensor; size 0 where the forward pass has no such tensor. Those at
// the logits, the context, weights, masked and scaled scores follow from these: see gradient_rows.h.
struct Gradients {
    double loss = 0;                // infinite where a target's weight is 0
    Matrix logits, probabilities;   // goal `next`: (T, V), forward
    Matrix output, merged;          // (T, d_out)
    Cube scores;                    // (num_heads, T, T), before the division
    Cube query;                     // (num_heads, T, head_dim), of typed numbers, too
    Cube key, value;                // (num_kv_heads, T, head_dim), the sums over the heads that read them
    Cube normed_query;              // (num_heads, T, head_dim); size 0 without norms of queries and keys, as
    Cube normed_key;                // (num_kv_heads, T, head_dim)
    Cube rotated_query;             // (num_heads, T, score_dim); size 0 without rotary positions, as
    Cube rotated_key;               // (num_kv_heads, T, score_dim)
    Cube position_query;            // (num_heads, T, rope_dim); size 0 without numbers that are turned alone, as
    Matrix position_key;            // (T, rope_dim), the sums over the heads
    Matrix query_latents, latents;  // (T, query_latent), (T, latent)
    Matrix embeddings;              // (T, d_in)
    Projections projections;        // at w_query ... b_out, of this sentence
    Projections batch;              // the sum over all sentences, which a step takes; empty until somebody adds it up
};

// Goal `next`: the gradient at row i of the logits, (probabilities - 1 at the wanted word) / num_terms; 0 where no word
// follows. Both (V).
void logit_gradients(std::span<const float> probabilities, const Goal& goal, int i, std::span<float> at_logits);

// From the gradients at a row of capped scores to those at the scaled ones.
void multiply_by_cap_slopes(float cap, std::span<const float> capped_row, std::span<float> gradients);

// The dot product with one order of additions on every machine: eight sums of every eighth product, then those.
double dot_of_gradients(std::span<const float> a, std::span<const float> b);

// Computes gradients. Keeps its memory, so that the same sizes again allocate nothing.
class BackwardPass {
public:
    // `trace` is what attend() gives for this problem. A typed query, key or value stops the gradient: behind it
    // neither matrices nor embeddings get any. Cost: about twice that of attend(). Valid until the next call.
    const Gradients& run(const AttentionProblem& problem, const AttentionTrace& trace, const Goal& goal);

    // Those of the last run.
    const Gradients& gradients() const { return gradients_; }

private:
    struct Role {  // queries, keys or values on their way back through their matrix
        TensorId id;
        const Cube& at_heads;
        const Matrix& w;
        const Vector& b;
        Matrix& at_w;
        Vector& at_b;
    };

    void give_shapes(const AttentionProblem& problem);
    void begin_at_logits(float cap, const AttentionTrace& trace, const Goal& goal);
    void through_output(const AttentionProblem& problem, const AttentionTrace& trace);
    void scores_of_targets(const AttentionProblem& problem, const AttentionTrace& trace, const Goal& goal);
    void through_mixing(const AttentionProblem& problem, const AttentionTrace& trace, int h);
    void mixing_block(const AttentionProblem& problem, const AttentionTrace& trace, int h, int first, int end);
    void scores_of_row(const AttentionProblem& problem, const AttentionTrace& trace, int h, int i,
                       std::span<float> at_weights);
    void through_cap(const AttentionProblem& problem, const AttentionTrace& trace, int h, int i,
                     std::span<float> at_scores);
    void through_scores(const AttentionProblem& problem, const AttentionTrace& trace, int h);
    void through_role(const AttentionProblem& problem, const Role& role, Matrix& at_source);
    void through_down(const Matrix& w, const Matrix& at_latents, Matrix& at_w);
    void add_product_to(Matrix& at_source, const float* gradient, std::size_t columns, const Matrix& w);
    void add_transposed(const float* block, std::size_t stride, std::size_t rows, std::size_t columns,
                        const Panels& factor, FloatBuffer& sums);
    void through_turns(const AttentionProblem& problem);
    void through_norms(const AttentionProblem& problem, const AttentionTrace& trace);
    void put_shared(const AttentionProblem& problem, int h, Cube& heads);
    void transpose_factor(const Matrix& x);
    void at_matrix(std::size_t rows, const Matrix& gradient, Matrix& at);

    Gradients gradients_;
    std::vector<int> seen_;  // (T), one more than the last key that can have a gradient in this row
    Panels factor_;
    FloatBuffer product_, transposed_, sums_;
    Matrix at_role_, mixed_;
    Vector shares_;
    std::vector<float> capped_;
};

}  // namespace attn
