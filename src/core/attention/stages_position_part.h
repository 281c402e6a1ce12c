// Rows of the stage table that are there only where numbers of their own are turned by the positions (DeepSeek-V2,
// 2405.04434, section 2.1.3), and the sink's gradient. stages.cpp and stages_backward.h take them in at their places.
#pragma once

#include <array>

#include "core/attention/stage_info.h"

namespace attn {

inline constexpr std::array kPositionQuerySources = {TensorId::query_latents, TensorId::embeddings,
                                                     TensorId::w_query_rope};
inline constexpr std::array kPositionKeySources = {TensorId::embeddings, TensorId::w_key_rope};
inline constexpr std::array kGradPositionQuerySources = {TensorId::grad_rotated_queries};
inline constexpr std::array kGradPositionKeySources = {TensorId::grad_rotated_keys};
inline constexpr std::array kGradWQueryRopeSources = {TensorId::query_latents, TensorId::embeddings,
                                                      TensorId::grad_position_queries};
inline constexpr std::array kGradWKeyRopeSources = {TensorId::embeddings, TensorId::grad_position_keys};

inline constexpr StageInfo kPositionQueries = {.id = TensorId::position_queries,
                                               .name = "position_queries",
                                               .title = "position Q",
                                               .symbol = "QR",
                                               .letters = "(num_heads, T, rope_dim)",
                                               .has_heads = true,
                                               .columns = Axis::channel,
                                               .is_signed = true,
                                               .sources = kPositionQuerySources};
inline constexpr StageInfo kPositionKeys = {.id = TensorId::position_keys,
                                            .name = "position_keys",
                                            .title = "position K",
                                            .symbol = "KR",
                                            .letters = "(T, rope_dim)",
                                            .has_heads = false,
                                            .columns = Axis::channel,
                                            .is_signed = true,
                                            .sources = kPositionKeySources};
inline constexpr StageInfo kGradPositionQueries = {.id = TensorId::grad_position_queries,
                                                   .name = "grad_position_queries",
                                                   .title = "∂QR",
                                                   .symbol = "∂QR",
                                                   .letters = "(num_heads, T, rope_dim)",
                                                   .has_heads = true,
                                                   .columns = Axis::channel,
                                                   .is_signed = true,
                                                   .sources = kGradPositionQuerySources};
inline constexpr StageInfo kGradPositionKeys = {.id = TensorId::grad_position_keys,
                                                .name = "grad_position_keys",
                                                .title = "∂KR",
                                                .symbol = "∂KR",
                                                .letters = "(T, rope_dim)",
                                                .has_heads = false,
                                                .columns = Axis::channel,
                                                .is_signed = true,
                                                .sources = kGradPositionKeySources};
inline constexpr StageInfo kGradWQueryRope = {.id = TensorId::grad_w_query_rope,
                                              .name = "grad_w_query_rope",
                                              .title = "∂W_qr",
                                              .symbol = "∂W_qr",
                                              .letters = "(d_in, num_heads · rope_dim)",
                                              .has_heads = false,
                                              .columns = Axis::channel,
                                              .is_signed = true,
                                              .sources = kGradWQueryRopeSources,
                                              .rows = Axis::channel};
inline constexpr StageInfo kGradWKeyRope = {.id = TensorId::grad_w_key_rope,
                                            .name = "grad_w_key_rope",
                                            .title = "∂W_kr",
                                            .symbol = "∂W_kr",
                                            .letters = "(d_in, rope_dim)",
                                            .has_heads = false,
                                            .columns = Axis::channel,
                                            .is_signed = true,
                                            .sources = kGradWKeyRopeSources,
                                            .rows = Axis::channel};

inline constexpr std::array kGradSinkSources = {TensorId::sink_weights, TensorId::grad_weights, TensorId::weights};
inline constexpr StageInfo kGradSinkLogits = {.id = TensorId::grad_sink_logits,
                                              .name = "grad_sink_logits",
                                              .title = "∂sink",
                                              .symbol = "∂s",
                                              .letters = "(1, num_heads)",
                                              .has_heads = false,
                                              .columns = Axis::channel,
                                              .is_signed = true,
                                              .sources = kGradSinkSources,
                                              .rows = Axis::channel};

}  // namespace attn
