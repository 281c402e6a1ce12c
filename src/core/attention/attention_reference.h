// The same attention in double precision with plain loops. Read this first: attend() must agree with it.
#pragma once

#include "core/attention/attention.h"

namespace attn {

// Every stage, kept whole.
struct ReferenceTrace {
    MatrixD query_latents, latents;        // (T, query_latent), (T, latent); size 0 without
    CubeD query;                           // (num_heads, T, head_dim)
    CubeD key, value;                      // (num_kv_heads, T, head_dim)
    CubeD absorbed_queries;                // (num_heads, T, latent); size 0 without a latent
    CubeD position_query;                  // (num_heads, T, rope_dim); size 0 without numbers that are turned alone
    MatrixD position_key;                  // (T, rope_dim), for all heads; the same
    CubeD rotated_query;                   // (num_heads, T, score_dim); size 0 without rotary positions
    CubeD rotated_key;                     // (num_kv_heads, T, score_dim); size 0 without rotary positions
    CubeD scores, scaled_scores, weights;  // (num_heads, T, T)
    CubeD biased_scores;                   // (num_heads, T, T); size 0 without ALiBi
    CubeD masked_scores;                   // (num_heads, T, T); size 0 when the mask comes after
    CubeD unmasked_weights;                // (num_heads, T, T); size 0 when the mask comes before
    CubeD sink_weights;                    // (num_heads, T, 1); size 0 without a sink
    CubeD dropped_weights;                 // (num_heads, T, T); size 0 without dropout
    FlagCube keep;                         // (num_heads, T, T); size 0 without dropout
    CubeD mixed_latents;                   // (num_heads, T, latent); size 0 without a latent
    CubeD context;                         // (num_heads, T, head_dim)
    MatrixD merged;                        // (T, d_out)
    MatrixD output;                        // (T, d_out); size 0 without an output projection

    // What the scores are made of, and what the mask takes in.
    const CubeD& scored_query() const { return rotated_query.size() != 0 ? rotated_query : query; }
    const CubeD& scored_key() const { return rotated_key.size() != 0 ? rotated_key : key; }
    const CubeD& scores_before_mask() const { return biased_scores.size() != 0 ? biased_scores : scaled_scores; }
};

// Rotated by their positions: x cos - y sin and y cos + x sin of each pair. (heads, T, .), as `heads`: all numbers of a
// row, or the last rotary.own_dim.
// `direction` -1: rotated back, as gradients are.
CubeD rotate_heads(const RotarySettings& rotary, const CubeD& heads, double direction = 1);

// exp(score - row max) over the row's sum of the same, to which each head's sink adds exp(logit - row max), and its
// logit may be the row's max. Gives what the sink takes of each row in `sink_weights` (num_heads, T, 1). (T, T) of each
// head, as `scores`; `logits` (1, num_heads).
CubeD softmax_with_sink(const CubeD& scores, const MatrixD& logits, CubeD& sink_weights);

// One number that is moved a little: a cell of a stage after it is computed, or a number of X, of a matrix or of a bias
// (row 0).
struct NudgedNumber {
    TensorId tensor = TensorId::embeddings;
    int head = 0, row = 0, column = 0;
    double by = 0;
};

// `nudged`: everything after that number is computed with it. A typed query, key or value stays as it was typed when X
// or a matrix is moved.
ReferenceTrace attend_reference(const AttentionProblem& problem, const NudgedNumber& nudged = {});

// One stage as the matrix of one head, as stage_matrix does for the fast twin.
MatrixD reference_matrix(const AttentionProblem& problem, const ReferenceTrace& trace, TensorId stage, int head);

}  // namespace attn
