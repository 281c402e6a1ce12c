// The contents of the stage table: names, shapes and sources of each stage, no numbers.
#include "core/attention/stages.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "core/attention/stages_backward.h"
#include "core/attention/stages_position_part.h"
#include "core/ground/check.h"

namespace attn {
namespace {

constexpr std::array kEmbeddingSources = {TensorId::token_vectors, TensorId::positions};
constexpr std::array kQueryLatentSources = {TensorId::embeddings, TensorId::w_down_query};
constexpr std::array kLatentSources = {TensorId::embeddings, TensorId::w_down_kv};
constexpr std::array kQuerySources = {TensorId::query_latents, TensorId::embeddings, TensorId::w_query,
                                      TensorId::b_query};
constexpr std::array kKeySources = {TensorId::latents, TensorId::embeddings, TensorId::w_key, TensorId::b_key};
constexpr std::array kValueSources = {TensorId::latents, TensorId::embeddings, TensorId::w_value, TensorId::b_value};
constexpr std::array kAbsorbedSources = {TensorId::queries, TensorId::w_key};
constexpr std::array kMixedLatentSources = {TensorId::weights, TensorId::dropped_weights, TensorId::latents};
constexpr std::array kScoreSources = {
#ifndef ATTN_FORWARD_ONLY
    TensorId::rotated_queries, TensorId::rotated_keys,
#endif
    TensorId::queries, TensorId::keys};
constexpr std::array kScaledSources = {TensorId::scores};
constexpr std::array kMaskedSources = {
#ifndef ATTN_FORWARD_ONLY
    TensorId::biased_scores,
#endif
    TensorId::scaled_scores, TensorId::mask};
constexpr std::array kUnmaskedSources = {
#ifndef ATTN_FORWARD_ONLY
    TensorId::biased_scores,
#endif
    TensorId::scaled_scores};
#ifndef ATTN_FORWARD_ONLY
constexpr std::array kRotatedQuerySources = {TensorId::queries, TensorId::position_queries};
constexpr std::array kRotatedKeySources = {TensorId::keys, TensorId::position_keys};
constexpr std::array kBiasedSources = {TensorId::scaled_scores};
#endif
constexpr std::array kWeightSources = {
#ifndef ATTN_FORWARD_ONLY
    TensorId::sink_logits,
#endif
    TensorId::masked_scores, TensorId::unmasked_weights, TensorId::mask};
#ifndef ATTN_FORWARD_ONLY
constexpr std::array kSinkSources = {TensorId::masked_scores, TensorId::sink_logits};
#endif
constexpr std::array kDroppedSources = {TensorId::weights, TensorId::keep_mask};
constexpr std::array kContextSources = {TensorId::weights, TensorId::dropped_weights, TensorId::values};
constexpr std::array kMergedSources = {TensorId::context};
constexpr std::array kOutputSources = {TensorId::merged, TensorId::w_out, TensorId::b_out};

constexpr std::array kForwardStages = {
    stage_row(TensorId::embeddings, "embeddings", "embeddings", "X", true, kEmbeddingSources),
#ifndef ATTN_NO_LATENTS
    stage_row(TensorId::query_latents, "query_latents", "query latents", "CQ", true, kQueryLatentSources),
    stage_row(TensorId::latents, "latents", "latents", "L", true, kLatentSources),
#endif
    stage_row(TensorId::queries, "queries", "queries", "Q", true, kQuerySources),
    stage_row(TensorId::keys, "keys", "keys", "K", true, kKeySources),
    stage_row(TensorId::values, "values", "values", "V", true, kValueSources),
#ifndef ATTN_NO_LATENTS
    stage_row(TensorId::absorbed_queries, "absorbed_queries", "absorbed queries", "QA", true, kAbsorbedSources),
    kPositionQueries,
    kPositionKeys,
#endif
#ifndef ATTN_FORWARD_ONLY
    stage_row(TensorId::rotated_queries, "rotated_queries", "turned Q", "Q′", true, kRotatedQuerySources),
    stage_row(TensorId::rotated_keys, "rotated_keys", "turned K", "K′", true, kRotatedKeySources),
#endif
    stage_row(TensorId::scores, "scores", "scores", "S", true, kScoreSources),
    stage_row(TensorId::scaled_scores, "scaled_scores", "scaled", "S/d", true, kScaledSources),
#ifndef ATTN_FORWARD_ONLY
    stage_row(TensorId::biased_scores, "biased_scores", "biased", "B", true, kBiasedSources),
#endif
    stage_row(TensorId::masked_scores, "masked_scores", "masked", "M", true, kMaskedSources),
    stage_row(TensorId::unmasked_weights, "unmasked_weights", "softmax", "P", false, kUnmaskedSources),
    stage_row(TensorId::weights, "weights", "weights", "A", false, kWeightSources),
#ifndef ATTN_FORWARD_ONLY
    stage_row(TensorId::sink_weights, "sink_weights", "sink", "A₀", false, kSinkSources),
#endif
    stage_row(TensorId::dropped_weights, "dropped_weights", "dropped", "D", false, kDroppedSources),
#ifndef ATTN_NO_LATENTS
    stage_row(TensorId::mixed_latents, "mixed_latents", "mixed latents", "CL", true, kMixedLatentSources),
#endif
    stage_row(TensorId::context, "context", "context", "C", true, kContextSources),
    stage_row(TensorId::merged, "merged", "merged", "H", true, kMergedSources),
    stage_row(TensorId::output, "output", "output", "Y", true, kOutputSources),
};

#ifdef ATTN_FORWARD_ONLY
constexpr std::array kStages = kForwardStages;
#else
template <std::size_t... Forward, std::size_t... Backward>
constexpr auto joined(std::index_sequence<Forward...>, std::index_sequence<Backward...>) {
    return std::array{kForwardStages[Forward]..., kBackwardStages[Backward]...};
}

constexpr std::array kStages =
    joined(std::make_index_sequence<kForwardStages.size()>(), std::make_index_sequence<kBackwardStages.size()>());
#endif

// What is no stage, in the order of TensorId.
constexpr std::size_t kFirstOther = static_cast<std::size_t>(TensorId::w_query);
constexpr std::array<std::string_view, 18> kOtherNames = {
    "w_query",     "w_key",   "w_value",       "w_down_query", "w_down_kv", "w_query_rope",
    "w_key_rope",  "b_query", "b_key",         "b_value",      "w_out",     "b_out",
    "sink_logits", "mask",    "token_vectors", "positions",    "keep_mask", "vocabulary"};

}  // namespace

std::span<const StageInfo> stage_table() {
    return kStages;
}

const StageInfo& stage_info(TensorId id) {
    const auto row = std::find_if(kStages.begin(), kStages.end(), [&](const StageInfo& info) { return info.id == id; });
    ATTN_CHECK(row != kStages.end(), "tensor ", is_stage(id) ? "of the table" : tensor_name(id), " is not a stage");
    return *row;
}

std::optional<TensorId> stage_of_name(std::string_view name) {
    for (const StageInfo& info : kStages) {
        if (info.name == name) return info.id;
    }
    return std::nullopt;
}

std::string_view tensor_name(TensorId id) {
    if (is_stage(id)) return stage_info(id).name;
    const std::size_t at = static_cast<std::size_t>(id) - kFirstOther;
    ATTN_CHECK(at < kOtherNames.size(), "no tensor has the number ", static_cast<int>(id));
    return kOtherNames[at];
}

}  // namespace attn
