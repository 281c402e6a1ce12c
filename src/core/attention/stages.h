// The stage table: every step from embeddings to output, to the words' probabilities, and back from the loss, once.
// Stage strip, heat maps, explanations, exports, golden files, screen-reader text and tests walk it.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/attention/stage_info.h"

namespace attn {

// Whether this is the engine module that computes forward alone. It knows no gradients, no rotary positions, no ALiBi,
// no norms of queries and keys, no cap of scores, and no sinks that are learned.
#ifdef ATTN_FORWARD_ONLY
inline constexpr bool kForwardOnly = true;
#else
inline constexpr bool kForwardOnly = false;
#endif
inline constexpr bool kHasSinks = !kForwardOnly;

// Whether the program opens trained models, whose layers have more stages than attention: the engine modules do not.
#ifdef ATTN_NO_MODELS
inline constexpr bool kOpensModels = false;
#else
inline constexpr bool kOpensModels = true;
#endif

// All stages in the order they are computed: forward from the embeddings, then back from the loss.
std::span<const StageInfo> stage_table();

// Whether `id` is a stage, and not a tensor that a person sets or a part of one.
constexpr bool is_stage(TensorId id) {
    return id < TensorId::w_query;
}

// Whether the stage is there only where a loss is: a gradient, or what the loss is taken of.
constexpr bool needs_goal(TensorId id) {
    return !kForwardOnly && id >= TensorId::logits && id < TensorId::w_query;
}

// Whether the stage is one of a model around its attention: of the layer's residual stream and MLP, and behind the last
// layer.
constexpr bool is_block_stage(TensorId id) {
    return id >= TensorId::before && id <= TensorId::logit_input;
}

// Whether a stage takes the other from the layer below: the stream that comes in is what goes out there.
constexpr bool is_from_below(TensorId stage, TensorId source) {
    return stage == TensorId::before && source == TensorId::after;
}

// Whether the columns of the stage are words of the vocabulary.
constexpr bool is_over_words(TensorId id) {
    return dims_of(id).columns == Dim::words;
}

// Whether each layer of a model has the stage, if it has it at all; else the whole model does.
constexpr bool is_of_layer(TensorId id) {
    return id != TensorId::final_stream && id != TensorId::logit_input && !is_over_words(id);
}

// Whether the stage is there only with a latent: the latents, and the absorbed order of the products.
constexpr bool needs_latent(TensorId id) {
    return id == TensorId::latents || id == TensorId::absorbed_queries || id == TensorId::mixed_latents;
}

// Whether the columns of the stage are numbers that are made to be turned alone.
constexpr bool has_rope_columns(TensorId id) {
    return dims_of(id).columns == Dim::rope_dim || dims_of(id).columns == Dim::rope_width;
}

// Whether the columns are the numbers of a latent vector, or numbers that are made to be turned alone.
constexpr bool has_columns_of_latents(TensorId id) {
    const Dim columns = dims_of(id).columns;
    return columns == Dim::latent || columns == Dim::query_latent || has_rope_columns(id);
}

// Whether the stage is turned: what a score is the products of, and its gradient.
constexpr bool is_turned_stage(TensorId id) {
    return dims_of(id).columns == Dim::score_dim;
}

// Scores, and what they become up to the softmax: scaled, capped, biased, masked.
constexpr bool is_score(TensorId id) {
    return id == TensorId::capped_scores || (id >= TensorId::scores && id <= TensorId::masked_scores);
}

// Queries, keys and values: an edit names them before the cut into heads, column 0 to d_out - 1.
constexpr bool is_role(TensorId id) {
    return id == TensorId::queries || id == TensorId::keys || id == TensorId::values;
}

// The attention's input and what is projected from it, which a model may make by rules of its own.
constexpr bool is_input_or_role(TensorId id) {
    return id == TensorId::embeddings || is_role(id);
}

// One row of learned numbers, whose cells are named by their column alone: a bias, the weights of a norm, or a sink
// logit a head.
constexpr bool is_bias(TensorId id) {
    return id == TensorId::b_query || id == TensorId::b_key || id == TensorId::b_value || id == TensorId::b_out ||
           (!kForwardOnly && id >= TensorId::q_norm && id <= TensorId::sink_logits);
}

// What a query, or a key, is on its way to the scores: projected, with numbers that are turned alone, normed, rotated.
inline constexpr std::array kQueryStages = {TensorId::queries, TensorId::position_queries, TensorId::normed_queries,
                                            TensorId::rotated_queries};
inline constexpr std::array kKeyStages = {TensorId::keys, TensorId::position_keys, TensorId::normed_keys,
                                          TensorId::rotated_keys};
constexpr bool is_query_stage(TensorId id) {
    return std::ranges::find(kQueryStages, id) != kQueryStages.end();
}
constexpr bool is_query_or_key_stage(TensorId id) {
    return is_query_stage(id) || std::ranges::find(kKeyStages, id) != kKeyStages.end();
}

// Whether the stage has one matrix a key head, which several query heads may share (AttentionProblem::kv_head): keys,
// rotated keys, values and their gradients. Named by any head that reads it.
constexpr bool has_kv_heads(TensorId id) {
    return dims_of(id).matrices == Dim::kv_heads;
}

// Whether the tensor belongs to keys or values, whose heads several query heads may share: the stages, the learned
// matrices and biases, their gradients.
constexpr bool is_shared_by_heads(TensorId id) {
    return has_kv_heads(id) || dims_of(id).columns == Dim::kv_width;
}

// What is learned, in the order of TensorId: the matrices and biases of the projections, the weights of norms, and sink
// logits.
constexpr bool is_learned(TensorId id) {
    return id >= TensorId::w_query && id <= TensorId::sink_logits;
}

// The row of `id` in the stage table; `id` must be a stage.
const StageInfo& stage_info(TensorId id);

// The stage of that name, or nothing.
std::optional<TensorId> stage_of_name(std::string_view name);

// The name of any tensor: a stage's name, or "w_query", "mask", ...
std::string_view tensor_name(TensorId id);

}  // namespace attn
