// The backward pass in double precision with plain loops, stage by stage as the textbook writes it. Read this before
// gradients.h, which must agree with it.
#pragma once

#include "core/attention/attention_reference.h"
#include "core/attention/goal.h"

namespace attn {

// Gradients of the loss at every tensor of the forward pass, each in the shape of that tensor; size 0 where the forward
// pass has no such tensor.
struct GradientsReference {
    double loss = 0;
    MatrixD logits, probabilities;          // goal `next`: (T, V), forward
    MatrixD output, merged;                 // (T, d_out)
    CubeD context;                          // (num_heads, T, head_dim)
    CubeD dropped_weights, weights;         // (num_heads, T, T)
    CubeD unmasked_weights, masked_scores;  // (num_heads, T, T)
    CubeD biased_scores;                    // (num_heads, T, T)
    CubeD scaled_scores, scores;            // (num_heads, T, T)
    CubeD rotated_query;                    // (num_heads, T, score_dim)
    CubeD rotated_key;                      // (num_kv_heads, T, score_dim)
    CubeD position_query;                   // (num_heads, T, rope_dim)
    MatrixD position_key;                   // (T, rope_dim)
    CubeD query;                            // (num_heads, T, head_dim)
    CubeD key, value;                       // (num_kv_heads, T, head_dim)
    MatrixD query_latents, latents;         // (T, query_latent), (T, latent)
    MatrixD embeddings;                     // (T, d_in)
    MatrixD w_query, w_key, w_value;        // (d_in, d_out)
    MatrixD w_down_query, w_down_kv;        // (d_in, query_latent), (d_in, latent)
    MatrixD w_query_rope, w_key_rope;       // (d_in, num_heads * rope_dim), (d_in, rope_dim)
    VectorD b_query, b_key, b_value;        // (d_out)
    MatrixD w_out;                          // (d_out, d_out)
    VectorD b_out;                          // (d_out)
    VectorD sink_logits;                    // (num_heads)
};

// The loss alone: infinite where a target's weight is 0. `trace` is that of attend_reference, and so is `nudged`, which
// counts here where it is a logit.
double loss_reference(const ReferenceTrace& trace, const Goal& goal, const NudgedNumber& nudged = {});

// The gradients where the gradient at the layer's output, (T, d_out), is given instead of a goal; the loss stays 0.
GradientsReference gradients_from_output(const AttentionProblem& problem, const ReferenceTrace& trace,
                                         const MatrixD& at_output);

// A typed query, key or value stops the gradient: behind it neither matrices nor embeddings get any.
GradientsReference gradients_reference(const AttentionProblem& problem, const ReferenceTrace& trace, const Goal& goal);

}  // namespace attn
