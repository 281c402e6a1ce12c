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

inline constexpr StageInfo kPositionQueries =
    stage_row(TensorId::position_queries, "position_queries", "position Q", "QR", true, kPositionQuerySources);
inline constexpr StageInfo kPositionKeys =
    stage_row(TensorId::position_keys, "position_keys", "position K", "KR", true, kPositionKeySources);
inline constexpr StageInfo kGradPositionQueries =
    stage_row(TensorId::grad_position_queries, "grad_position_queries", "∂QR", "∂QR", true, kGradPositionQuerySources);
inline constexpr StageInfo kGradPositionKeys =
    stage_row(TensorId::grad_position_keys, "grad_position_keys", "∂KR", "∂KR", true, kGradPositionKeySources);
inline constexpr StageInfo kGradWQueryRope =
    stage_row(TensorId::grad_w_query_rope, "grad_w_query_rope", "∂W_qr", "∂W_qr", true, kGradWQueryRopeSources);
inline constexpr StageInfo kGradWKeyRope =
    stage_row(TensorId::grad_w_key_rope, "grad_w_key_rope", "∂W_kr", "∂W_kr", true, kGradWKeyRopeSources);

inline constexpr std::array kGradSinkSources = {TensorId::sink_weights, TensorId::grad_weights, TensorId::weights};
inline constexpr StageInfo kGradSinkLogits =
    stage_row(TensorId::grad_sink_logits, "grad_sink_logits", "∂sink", "∂s", true, kGradSinkSources);

}  // namespace attn
