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
    StageInfo{.id = TensorId::embeddings,
              .name = "embeddings",
              .title = "embeddings",
              .symbol = "X",
              .letters = "(T, d_in)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kEmbeddingSources},
#ifndef ATTN_NO_LATENTS
    StageInfo{.id = TensorId::query_latents,
              .name = "query_latents",
              .title = "query latents",
              .symbol = "CQ",
              .letters = "(T, query_latent)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kQueryLatentSources},
    StageInfo{.id = TensorId::latents,
              .name = "latents",
              .title = "latents",
              .symbol = "L",
              .letters = "(T, latent)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kLatentSources},
#endif
    StageInfo{.id = TensorId::queries,
              .name = "queries",
              .title = "queries",
              .symbol = "Q",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kQuerySources},
    StageInfo{.id = TensorId::keys,
              .name = "keys",
              .title = "keys",
              .symbol = "K",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kKeySources},
    StageInfo{.id = TensorId::values,
              .name = "values",
              .title = "values",
              .symbol = "V",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kValueSources},
#ifndef ATTN_NO_LATENTS
    StageInfo{.id = TensorId::absorbed_queries,
              .name = "absorbed_queries",
              .title = "absorbed queries",
              .symbol = "QA",
              .letters = "(num_heads, T, latent)",

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kAbsorbedSources},
    kPositionQueries,
    kPositionKeys,
#endif
#ifndef ATTN_FORWARD_ONLY
    StageInfo{.id = TensorId::rotated_queries,
              .name = "rotated_queries",
              .title = "turned Q",
              .symbol = "Q′",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kRotatedQuerySources},
    StageInfo{.id = TensorId::rotated_keys,
              .name = "rotated_keys",
              .title = "turned K",
              .symbol = "K′",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kRotatedKeySources},
#endif
    StageInfo{.id = TensorId::scores,
              .name = "scores",
              .title = "scores",
              .symbol = "S",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kScoreSources},
    StageInfo{.id = TensorId::scaled_scores,
              .name = "scaled_scores",
              .title = "scaled",
              .symbol = "S/d",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kScaledSources},
#ifndef ATTN_FORWARD_ONLY
    StageInfo{.id = TensorId::biased_scores,
              .name = "biased_scores",
              .title = "biased",
              .symbol = "B",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kBiasedSources},
#endif
    StageInfo{.id = TensorId::masked_scores,
              .name = "masked_scores",
              .title = "masked",
              .symbol = "M",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kMaskedSources},
    StageInfo{.id = TensorId::unmasked_weights,
              .name = "unmasked_weights",
              .title = "softmax",
              .symbol = "P",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = false,
              .sources = kUnmaskedSources},
    StageInfo{.id = TensorId::weights,
              .name = "weights",
              .title = "weights",
              .symbol = "A",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = false,
              .sources = kWeightSources},
#ifndef ATTN_FORWARD_ONLY
    StageInfo{.id = TensorId::sink_weights,
              .name = "sink_weights",
              .title = "sink",
              .symbol = "A₀",
              .letters = "(num_heads, T, 1)",

              .has_heads = true,
              .columns = Axis::sink,
              .is_signed = false,
              .sources = kSinkSources},
#endif
    StageInfo{.id = TensorId::dropped_weights,
              .name = "dropped_weights",
              .title = "dropped",
              .symbol = "D",
              .letters = kLettersOfKeys,

              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = false,
              .sources = kDroppedSources},
#ifndef ATTN_NO_LATENTS
    StageInfo{.id = TensorId::mixed_latents,
              .name = "mixed_latents",
              .title = "mixed latents",
              .symbol = "CL",
              .letters = "(num_heads, T, latent)",

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kMixedLatentSources},
#endif
    StageInfo{.id = TensorId::context,
              .name = "context",
              .title = "context",
              .symbol = "C",
              .letters = kLettersOfChannels,

              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kContextSources},
    StageInfo{.id = TensorId::merged,
              .name = "merged",
              .title = "merged",
              .symbol = "H",
              .letters = "(T, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kMergedSources},
    StageInfo{.id = TensorId::output,
              .name = "output",
              .title = "output",
              .symbol = "Y",
              .letters = "(T, d_out)",

              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kOutputSources},
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

TensorId tensor_of_gradient(TensorId id) {
    ATTN_CHECK(is_gradient(id), tensor_name(id), " is no gradient");
    constexpr std::size_t kPrefix = std::string_view("grad_").size();
    const std::string_view wanted = tensor_name(id).substr(kPrefix);
    if (const std::optional<TensorId> stage = stage_of_name(wanted)) return *stage;
    const auto name = std::find(kOtherNames.begin(), kOtherNames.end(), wanted);
    ATTN_CHECK(name != kOtherNames.end(), "no tensor has the gradient ", tensor_name(id));
    return static_cast<TensorId>(kFirstOther + static_cast<std::size_t>(name - kOtherNames.begin()));
}

std::string_view tensor_name(TensorId id) {
    if (is_stage(id)) return stage_info(id).name;
    const std::size_t at = static_cast<std::size_t>(id) - kFirstOther;
    ATTN_CHECK(at < kOtherNames.size(), "no tensor has the number ", static_cast<int>(id));
    return kOtherNames[at];
}

}  // namespace attn
