// The second half of the stage table: what the loss is taken of, and the way back. stages.cpp joins the halves.
#pragma once

#include <array>
#include <string_view>

#include "core/attention/stage_info.h"
#include "core/attention/stages_position_part.h"

namespace attn {

inline constexpr std::string_view kLettersOfChannels = "(num_heads, T, head_dim)";
inline constexpr std::string_view kLettersOfKeys = "(num_heads, T, T)";

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
    StageInfo{.id = TensorId::logits,
              .name = "logits",
              .title = "logits",
              .symbol = "Z",
              .letters = "(T, V)",

              .has_heads = false,
              .columns = Axis::word,
              .is_signed = true,
              .sources = kLogitSources},
    StageInfo{.id = TensorId::probabilities,
              .name = "probabilities",
              .title = "probabilities",
              .symbol = "p",
              .letters = "(T, V)",

              .has_heads = false,
              .columns = Axis::word,
              .is_signed = false,
              .sources = kProbabilitySources},
    StageInfo{.id = TensorId::grad_logits,
              .name = "grad_logits",
              .title = "∂logits",
              .symbol = "∂Z",
              .letters = "(T, V)",

              .has_heads = false,
              .columns = Axis::word,
              .is_signed = true,
              .sources = kGradLogitSources},
    StageInfo{.id = TensorId::grad_output,
              .name = "grad_output",
              .title = "∂output",
              .symbol = "∂Y",
              .letters = "(T, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradOutputSources},
    StageInfo{.id = TensorId::grad_merged,
              .name = "grad_merged",
              .title = "∂merged",
              .symbol = "∂H",
              .letters = "(T, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradMergedSources},
    StageInfo{.id = TensorId::grad_context,
              .name = "grad_context",
              .title = "∂context",
              .symbol = "∂C",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradContextSources},
    StageInfo{.id = TensorId::grad_dropped_weights,
              .name = "grad_dropped_weights",
              .title = "∂dropped",
              .symbol = "∂D",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradDroppedSources},
    StageInfo{.id = TensorId::grad_weights,
              .name = "grad_weights",
              .title = "∂weights",
              .symbol = "∂A",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradWeightSources},
    StageInfo{.id = TensorId::grad_unmasked_weights,
              .name = "grad_unmasked_weights",
              .title = "∂softmax",
              .symbol = "∂P",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradUnmaskedSources},
    StageInfo{.id = TensorId::grad_masked_scores,
              .name = "grad_masked_scores",
              .title = "∂masked",
              .symbol = "∂M",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradMaskedSources},
    StageInfo{.id = TensorId::grad_biased_scores,
              .name = "grad_biased_scores",
              .title = "∂biased",
              .symbol = "∂B",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradBiasedSources},
    StageInfo{.id = TensorId::grad_scaled_scores,
              .name = "grad_scaled_scores",
              .title = "∂scaled",
              .symbol = "∂S/d",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradScaledSources},
    StageInfo{.id = TensorId::grad_scores,
              .name = "grad_scores",
              .title = "∂scores",
              .symbol = "∂S",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradScoreSources},
    StageInfo{.id = TensorId::grad_rotated_queries,
              .name = "grad_rotated_queries",
              .title = "∂turned Q",
              .symbol = "∂Q′",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradRotatedQuerySources},
    StageInfo{.id = TensorId::grad_rotated_keys,
              .name = "grad_rotated_keys",
              .title = "∂turned K",
              .symbol = "∂K′",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradRotatedKeySources},
    StageInfo{.id = TensorId::grad_queries,
              .name = "grad_queries",
              .title = "∂Q",
              .symbol = "∂Q",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradQuerySources},
    StageInfo{.id = TensorId::grad_keys,
              .name = "grad_keys",
              .title = "∂K",
              .symbol = "∂K",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradKeySources},
    StageInfo{.id = TensorId::grad_values,
              .name = "grad_values",
              .title = "∂V",
              .symbol = "∂V",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradValueSources},
    kGradPositionQueries,
    kGradPositionKeys,
    StageInfo{.id = TensorId::grad_query_latents,
              .name = "grad_query_latents",
              .title = "∂CQ",
              .symbol = "∂CQ",
              .letters = "(T, query_latent)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradQueryLatentSources},
    StageInfo{.id = TensorId::grad_latents,
              .name = "grad_latents",
              .title = "∂L",
              .symbol = "∂L",
              .letters = "(T, latent)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradLatentSources},
    StageInfo{.id = TensorId::grad_embeddings,
              .name = "grad_embeddings",
              .title = "∂X",
              .symbol = "∂X",
              .letters = "(T, d_in)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradEmbeddingSources},
    StageInfo{.id = TensorId::grad_w_query,
              .name = "grad_w_query",
              .title = "∂W_q",
              .symbol = "∂W_q",
              .letters = "(d_in, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradWQuerySources,
              .rows = Axis::channel},
    StageInfo{.id = TensorId::grad_w_key,
              .name = "grad_w_key",
              .title = "∂W_k",
              .symbol = "∂W_k",
              .letters = "(d_in, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradWKeySources,
              .rows = Axis::channel},
    StageInfo{.id = TensorId::grad_w_value,
              .name = "grad_w_value",
              .title = "∂W_v",
              .symbol = "∂W_v",
              .letters = "(d_in, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradWValueSources,
              .rows = Axis::channel},
    StageInfo{.id = TensorId::grad_w_down_query,
              .name = "grad_w_down_query",
              .title = "∂W_dq",
              .symbol = "∂W_dq",
              .letters = "(d_in, query_latent)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradWDownQuerySources,
              .rows = Axis::channel},
    StageInfo{.id = TensorId::grad_w_down_kv,
              .name = "grad_w_down_kv",
              .title = "∂W_dkv",
              .symbol = "∂W_dkv",
              .letters = "(d_in, latent)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradWDownKvSources,
              .rows = Axis::channel},
    kGradWQueryRope,
    kGradWKeyRope,
    StageInfo{.id = TensorId::grad_b_query,
              .name = "grad_b_query",
              .title = "∂b_q",
              .symbol = "∂b_q",
              .letters = "(1, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradBQuerySources,
              .rows = Axis::channel},
    StageInfo{.id = TensorId::grad_b_key,
              .name = "grad_b_key",
              .title = "∂b_k",
              .symbol = "∂b_k",
              .letters = "(1, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradBKeySources,
              .rows = Axis::channel},
    StageInfo{.id = TensorId::grad_b_value,
              .name = "grad_b_value",
              .title = "∂b_v",
              .symbol = "∂b_v",
              .letters = "(1, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradBValueSources,
              .rows = Axis::channel},
    StageInfo{.id = TensorId::grad_w_out,
              .name = "grad_w_out",
              .title = "∂W_o",
              .symbol = "∂W_o",
              .letters = "(d_out, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradWOutSources,
              .rows = Axis::channel},
    StageInfo{.id = TensorId::grad_b_out,
              .name = "grad_b_out",
              .title = "∂b_o",
              .symbol = "∂b_o",
              .letters = "(1, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradBOutSources,
              .rows = Axis::channel},
    kGradSinkLogits,
};

}  // namespace attn
