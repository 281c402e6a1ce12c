// The names of all tensors of a layer.
#pragma once

namespace attn {

// Every tensor that can be named: first the stages in the order they are computed, then what a person may set.
enum class TensorId {
    embeddings,
    queries,
    keys,
    values,
    rotated_queries,
    rotated_keys,
    scores,
    scaled_scores,
    biased_scores,
    masked_scores,
    unmasked_weights,
    weights,
    dropped_weights,
    context,
    merged,
    output,
    query_latents,  // before the queries; latents before the keys, which cost no other stage its number
    latents,
    absorbed_queries,  // the same scores and contexts by another order of the products
    mixed_latents,
    position_queries,  // what is turned alone: between values and rotated queries
    position_keys,
    normed_queries,  // between values and rotated queries, too
    normed_keys,
    sink_weights,   // how far each row of weights falls short of 1: between weights and dropped weights
    capped_scores,  // between scaled and biased scores
    before,         // of a model's layer, around its attention: the residual stream that comes in,
    attention_out,
    attention_added,
    middle,
    mlp_input,
    mlp_gate,
    mlp_sums,
    mlp_hidden,
    mlp_out,
    mlp_added,
    after,         // the stream that goes out,
    final_stream,  // and what a model makes of it behind its last layer
    logit_input,
    logits,
    probabilities,  // goal `next`: one number for each word of the vocabulary
    capped_logits,  // between the two
    grad_logits,    // from here on the way back: the gradient of the loss at the tensor of that name
    grad_capped_logits,
    grad_output,
    grad_merged,
    grad_context,
    grad_dropped_weights,
    grad_weights,
    grad_unmasked_weights,
    grad_masked_scores,
    grad_biased_scores,
    grad_capped_scores,
    grad_scaled_scores,
    grad_scores,
    grad_rotated_queries,
    grad_rotated_keys,
    grad_normed_queries,
    grad_normed_keys,
    grad_queries,
    grad_keys,
    grad_values,
    grad_query_latents,
    grad_latents,
    grad_position_queries,
    grad_position_keys,
    grad_embeddings,
    grad_w_query,
    grad_w_key,
    grad_w_value,
    grad_w_down_query,
    grad_w_down_kv,
    grad_w_query_rope,
    grad_w_key_rope,
    grad_b_query,
    grad_b_key,
    grad_b_value,
    grad_w_out,
    grad_b_out,
    grad_q_norm,
    grad_k_norm,
    grad_sink_logits,
    w_query,
    w_key,
    w_value,
    w_down_query,
    w_down_kv,
    w_query_rope,
    w_key_rope,
    b_query,
    b_key,
    b_value,
    w_out,
    b_out,
    q_norm,
    k_norm,
    sink_logits,
    mask,
    token_vectors,
    positions,
    keep_mask,   // the parts that embeddings and dropped weights are made of
    vocabulary,  // the words' vectors, which the logits are made of
};

}  // namespace attn
