// The stage table: every step from embeddings to output, to the words' probabilities, and back from the loss, once.
// Stage strip, heat maps, explanations, exports, golden files, screen-reader text and tests walk it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/attention/stage_info.h"

namespace attn {

// Whether sinks that are learned are compiled in: the engine module that computes forward alone leaves them out.
#ifdef ATTN_FORWARD_ONLY
inline constexpr bool kHasSinks = false;
#else
inline constexpr bool kHasSinks = true;
#endif

// All stages in the order they are computed: forward from the embeddings, then back from the loss.
std::span<const StageInfo> stage_table();

// Whether `id` is a stage, and not a tensor that a person sets or a part of one.
constexpr bool is_stage(TensorId id) {
    return id < TensorId::w_query;
}

// Whether the stage belongs to the way back: a gradient.
constexpr bool is_gradient(TensorId id) {
    return id >= TensorId::grad_logits && id < TensorId::w_query;
}

// Whether the stage is there only where a loss is: a gradient, or what the loss is taken of. The engine module has
// none.
constexpr bool needs_goal([[maybe_unused]] TensorId id) {
#ifdef ATTN_FORWARD_ONLY
    return false;
#else
    return id >= TensorId::logits && id < TensorId::w_query;
#endif
}

// Whether the stage is there only with a latent: the latents, and the absorbed order of the products.
constexpr bool needs_latent(TensorId id) {
    return id == TensorId::latents || id == TensorId::absorbed_queries || id == TensorId::mixed_latents;
}

// Whether the columns of the stage are the numbers of a latent vector.
constexpr bool has_latent_columns(TensorId id) {
    return needs_latent(id) || id == TensorId::grad_latents || id == TensorId::grad_w_down_kv ||
           id == TensorId::w_down_kv;
}
constexpr bool has_query_latent_columns(TensorId id) {
    return id == TensorId::query_latents || id == TensorId::grad_query_latents || id == TensorId::grad_w_down_query ||
           id == TensorId::w_down_query;
}

// Whether the columns of the stage are numbers that are made to be turned alone.
constexpr bool has_rope_columns(TensorId id) {
    return id == TensorId::position_queries || id == TensorId::position_keys || id == TensorId::grad_position_queries ||
           id == TensorId::grad_position_keys || id == TensorId::grad_w_query_rope || id == TensorId::grad_w_key_rope ||
           id == TensorId::w_query_rope || id == TensorId::w_key_rope;
}

// Whether the stage is turned: what a score is the products of, and its gradient.
constexpr bool is_turned_stage(TensorId id) {
    return id == TensorId::rotated_queries || id == TensorId::rotated_keys || id == TensorId::grad_rotated_queries ||
           id == TensorId::grad_rotated_keys;
}

// Queries, keys and values: an edit names them before the cut into heads, column 0 to d_out - 1.
constexpr bool is_role(TensorId id) {
    return id == TensorId::queries || id == TensorId::keys || id == TensorId::values;
}

// One row of learned numbers, whose cells are named by their column alone: a bias, or a sink logit a head.
constexpr bool is_bias(TensorId id) {
    return id == TensorId::b_query || id == TensorId::b_key || id == TensorId::b_value || id == TensorId::b_out ||
           (kHasSinks && id == TensorId::sink_logits);
}

// Whether the stage has one matrix a key head, which several query heads may share (AttentionProblem::kv_head): keys,
// rotated keys, values and their gradients. Named by any head that reads it.
constexpr bool has_kv_heads(TensorId id) {
    return id == TensorId::keys || id == TensorId::values || id == TensorId::rotated_keys ||
           id == TensorId::grad_rotated_keys || id == TensorId::grad_keys || id == TensorId::grad_values;
}

// Whether the tensor has the columns of all key heads together: matrix and bias of keys and values, and their
// gradients.
constexpr bool has_kv_width(TensorId id) {
    return id == TensorId::w_key || id == TensorId::w_value || id == TensorId::b_key || id == TensorId::b_value ||
           id == TensorId::grad_w_key || id == TensorId::grad_w_value || id == TensorId::grad_b_key ||
           id == TensorId::grad_b_value;
}

// The tensor whose gradient this stage is: grad_w_query's is w_query. `id` is_gradient().
TensorId tensor_of_gradient(TensorId id);

// The row of `id` in the stage table; `id` must be a stage.
const StageInfo& stage_info(TensorId id);

// The stage of that name, or nothing.
std::optional<TensorId> stage_of_name(std::string_view name);

// The name of any tensor: a stage's name, or "w_query", "mask", ...
std::string_view tensor_name(TensorId id);

}  // namespace attn
