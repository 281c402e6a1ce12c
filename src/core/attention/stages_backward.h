// The second half of the stage table: what the loss is taken of, and the way back. stages.cpp joins the halves.
#pragma once

#include <array>
#include <string_view>

#include "core/attention/stage_info.h"
#include "core/attention/stages_position_part.h"

namespace attn {

inline constexpr std::array kLogitSources = {TensorId::output, TensorId::merged, TensorId::vocabulary};
inline constexpr std::array kProbabilitySources = {TensorId::logits};
inline constexpr std::array kGradLogitSources = {TensorId::probabilities};
inline constexpr std::array kGradOutputSources = {TensorId::grad_logits, TensorId::vocabulary};
inline constexpr std::array kGradMergedSources = {TensorId::grad_output, TensorId::grad_logits, TensorId::vocabulary,
                                                  TensorId::w_out};
inline constexpr std::array kGradContextSources = {TensorId::grad_merged};
inline constexpr std::array kGradDroppedSources = {TensorId::grad_context, TensorId::values};
inline constexpr std::array kGradWeightSources = {TensorId::grad_dropped_weights, TensorId::keep_mask,
                                                  TensorId::grad_context, TensorId::values, TensorId::weights};
inline constexpr std::array kGradUnmaskedSources = {TensorId::grad_weights, TensorId::weights,
                                                    TensorId::unmasked_weights};
inline constexpr std::array kGradMaskedSources = {TensorId::grad_weights, TensorId::weights};
inline constexpr std::array kGradBiasedSources = {TensorId::grad_masked_scores, TensorId::grad_unmasked_weights,
                                                  TensorId::unmasked_weights, TensorId::weights};
inline constexpr std::array kGradScaledSources = {TensorId::grad_biased_scores, TensorId::grad_masked_scores,
                                                  TensorId::grad_unmasked_weights, TensorId::unmasked_weights,
                                                  TensorId::weights};
inline constexpr std::array kGradScoreSources = {TensorId::grad_scaled_scores};
inline constexpr std::array kGradRotatedQuerySources = {TensorId::grad_scores, TensorId::rotated_keys};
inline constexpr std::array kGradRotatedKeySources = {TensorId::grad_scores, TensorId::rotated_queries};
inline constexpr std::array kGradQuerySources = {TensorId::grad_rotated_queries, TensorId::grad_scores, TensorId::keys};
inline constexpr std::array kGradKeySources = {TensorId::grad_rotated_keys, TensorId::grad_scores, TensorId::queries};
inline constexpr std::array kGradValueSources = {TensorId::weights, TensorId::dropped_weights, TensorId::grad_context};
inline constexpr std::array kGradQueryLatentSources = {TensorId::grad_queries, TensorId::w_query,
                                                       TensorId::grad_position_queries, TensorId::w_query_rope};
inline constexpr std::array kGradLatentSources = {TensorId::grad_keys, TensorId::grad_values, TensorId::w_key,
                                                  TensorId::w_value};
inline constexpr std::array kGradEmbeddingSources = {TensorId::grad_query_latents,
                                                     TensorId::grad_latents,
                                                     TensorId::grad_queries,
                                                     TensorId::grad_keys,
                                                     TensorId::grad_values,
                                                     TensorId::w_down_query,
                                                     TensorId::w_down_kv,
                                                     TensorId::w_query,
                                                     TensorId::w_key,
                                                     TensorId::w_value,
                                                     TensorId::grad_position_queries,
                                                     TensorId::grad_position_keys,
                                                     TensorId::w_query_rope,
                                                     TensorId::w_key_rope};
inline constexpr std::array kGradWQuerySources = {TensorId::query_latents, TensorId::embeddings,
                                                  TensorId::grad_queries};
inline constexpr std::array kGradWKeySources = {TensorId::latents, TensorId::embeddings, TensorId::grad_keys};
inline constexpr std::array kGradWValueSources = {TensorId::latents, TensorId::embeddings, TensorId::grad_values};
inline constexpr std::array kGradWDownQuerySources = {TensorId::embeddings, TensorId::grad_query_latents};
inline constexpr std::array kGradWDownKvSources = {TensorId::embeddings, TensorId::grad_latents};
inline constexpr std::array kGradBQuerySources = {TensorId::grad_queries};
inline constexpr std::array kGradBKeySources = {TensorId::grad_keys};
inline constexpr std::array kGradBValueSources = {TensorId::grad_values};
inline constexpr std::array kGradWOutSources = {TensorId::merged, TensorId::grad_output};
inline constexpr std::array kGradBOutSources = {TensorId::grad_output};

inline constexpr std::array kBackwardStages = {
    stage_row(TensorId::logits, "logits", "logits", "Z", true, kLogitSources),
    stage_row(TensorId::probabilities, "probabilities", "probabilities", "p", false, kProbabilitySources),
    stage_row(TensorId::grad_logits, "grad_logits", "∂logits", "∂Z", true, kGradLogitSources),
    stage_row(TensorId::grad_output, "grad_output", "∂output", "∂Y", true, kGradOutputSources),
    stage_row(TensorId::grad_merged, "grad_merged", "∂merged", "∂H", true, kGradMergedSources),
    stage_row(TensorId::grad_context, "grad_context", "∂context", "∂C", true, kGradContextSources),
    stage_row(TensorId::grad_dropped_weights, "grad_dropped_weights", "∂dropped", "∂D", true, kGradDroppedSources),
    stage_row(TensorId::grad_weights, "grad_weights", "∂weights", "∂A", true, kGradWeightSources),
    stage_row(TensorId::grad_unmasked_weights, "grad_unmasked_weights", "∂softmax", "∂P", true, kGradUnmaskedSources),
    stage_row(TensorId::grad_masked_scores, "grad_masked_scores", "∂masked", "∂M", true, kGradMaskedSources),
    stage_row(TensorId::grad_biased_scores, "grad_biased_scores", "∂biased", "∂B", true, kGradBiasedSources),
    stage_row(TensorId::grad_scaled_scores, "grad_scaled_scores", "∂scaled", "∂S/d", true, kGradScaledSources),
    stage_row(TensorId::grad_scores, "grad_scores", "∂scores", "∂S", true, kGradScoreSources),
    stage_row(TensorId::grad_rotated_queries, "grad_rotated_queries", "∂turned Q", "∂Q′", true,
              kGradRotatedQuerySources),
    stage_row(TensorId::grad_rotated_keys, "grad_rotated_keys", "∂turned K", "∂K′", true, kGradRotatedKeySources),
    stage_row(TensorId::grad_queries, "grad_queries", "∂Q", "∂Q", true, kGradQuerySources),
    stage_row(TensorId::grad_keys, "grad_keys", "∂K", "∂K", true, kGradKeySources),
    stage_row(TensorId::grad_values, "grad_values", "∂V", "∂V", true, kGradValueSources),
    kGradPositionQueries,
    kGradPositionKeys,
    stage_row(TensorId::grad_query_latents, "grad_query_latents", "∂CQ", "∂CQ", true, kGradQueryLatentSources),
    stage_row(TensorId::grad_latents, "grad_latents", "∂L", "∂L", true, kGradLatentSources),
    stage_row(TensorId::grad_embeddings, "grad_embeddings", "∂X", "∂X", true, kGradEmbeddingSources),
    stage_row(TensorId::grad_w_query, "grad_w_query", "∂W_q", "∂W_q", true, kGradWQuerySources),
    stage_row(TensorId::grad_w_key, "grad_w_key", "∂W_k", "∂W_k", true, kGradWKeySources),
    stage_row(TensorId::grad_w_value, "grad_w_value", "∂W_v", "∂W_v", true, kGradWValueSources),
    stage_row(TensorId::grad_w_down_query, "grad_w_down_query", "∂W_dq", "∂W_dq", true, kGradWDownQuerySources),
    stage_row(TensorId::grad_w_down_kv, "grad_w_down_kv", "∂W_dkv", "∂W_dkv", true, kGradWDownKvSources),
    kGradWQueryRope,
    kGradWKeyRope,
    stage_row(TensorId::grad_b_query, "grad_b_query", "∂b_q", "∂b_q", true, kGradBQuerySources),
    stage_row(TensorId::grad_b_key, "grad_b_key", "∂b_k", "∂b_k", true, kGradBKeySources),
    stage_row(TensorId::grad_b_value, "grad_b_value", "∂b_v", "∂b_v", true, kGradBValueSources),
    stage_row(TensorId::grad_w_out, "grad_w_out", "∂W_o", "∂W_o", true, kGradWOutSources),
    stage_row(TensorId::grad_b_out, "grad_b_out", "∂b_o", "∂b_o", true, kGradBOutSources),
    kGradSinkLogits,
};

}  // namespace attn
