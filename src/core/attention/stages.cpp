// The contents of the stage table: names, words and sources of each stage, no numbers.
#include "core/attention/stages.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "core/attention/stages_backward.h"
#include "core/ground/check.h"

namespace attn {
namespace {

constexpr std::array kEmbeddingSources = {TensorId::token_vectors, TensorId::positions};
constexpr std::array kQuerySources = {TensorId::embeddings, TensorId::w_query, TensorId::b_query};
constexpr std::array kKeySources = {TensorId::embeddings, TensorId::w_key, TensorId::b_key};
constexpr std::array kValueSources = {TensorId::embeddings, TensorId::w_value, TensorId::b_value};
constexpr std::array kScoreSources = {TensorId::queries, TensorId::keys};
constexpr std::array kScaledSources = {TensorId::scores};
constexpr std::array kMaskedSources = {TensorId::scaled_scores, TensorId::mask};
constexpr std::array kUnmaskedSources = {TensorId::scaled_scores};
constexpr std::array kWeightSources = {TensorId::masked_scores, TensorId::unmasked_weights, TensorId::mask};
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
              .formula = "token vectors + positions",
              .meaning = "One vector of d_in numbers for each token, with its position added (X).",
              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kEmbeddingSources},
    StageInfo{.id = TensorId::queries,
              .name = "queries",
              .title = "queries",
              .symbol = "Q",
              .letters = kLettersOfChannels,
              .formula = "X · w_query + b_query, cut into heads",
              .meaning = "What each token looks for in the others (Q).",
              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kQuerySources},
    StageInfo{.id = TensorId::keys,
              .name = "keys",
              .title = "keys",
              .symbol = "K",
              .letters = kLettersOfChannels,
              .formula = "X · w_key + b_key, cut into heads",
              .meaning = "What each token offers to be found by (K).",
              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kKeySources},
    StageInfo{.id = TensorId::values,
              .name = "values",
              .title = "values",
              .symbol = "V",
              .letters = kLettersOfChannels,
              .formula = "X · w_value + b_value, cut into heads",
              .meaning = "What each token passes on to the tokens that attend to it (V).",
              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kValueSources},
    StageInfo{.id = TensorId::scores,
              .name = "scores",
              .title = "scores",
              .symbol = "S",
              .letters = kLettersOfKeys,
              .formula = "dot product of a query and a key",
              .meaning = "How well each token's query (row) matches each token's key (column).",
              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kScoreSources},
    StageInfo{
        .id = TensorId::scaled_scores,
        .name = "scaled_scores",
        .title = "scaled",
        .symbol = "S/d",
        .letters = kLettersOfKeys,
        .formula = "scores / (scale · temperature)",
        .meaning = "The scores divided by the scale (÷ √d), which keeps softmax from putting everything on one token.",
        .has_heads = true,
        .columns = Axis::key_token,
        .is_signed = true,
        .sources = kScaledSources},
    StageInfo{.id = TensorId::masked_scores,
              .name = "masked_scores",
              .title = "masked",
              .symbol = "M",
              .letters = kLettersOfKeys,
              .formula = "scaled scores, -inf where the key is hidden",
              .meaning = "The scaled scores without the keys a token may not look at, such as later tokens.",
              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kMaskedSources},
    StageInfo{.id = TensorId::unmasked_weights,
              .name = "unmasked_weights",
              .title = "softmax",
              .symbol = "P",
              .letters = kLettersOfKeys,
              .formula = "softmax of each whole row of scaled scores",
              .meaning = "The weights before any key is hidden: later tokens take their share, too.",
              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = false,
              .sources = kUnmaskedSources},
    StageInfo{.id = TensorId::weights,
              .name = "weights",
              .title = "weights",
              .symbol = "A",
              .letters = kLettersOfKeys,
              .formula = "softmax of each row of masked scores",
              .meaning = "How much each token (row) attends to each token (column); every row sums to 1.",
              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = false,
              .sources = kWeightSources},
    StageInfo{
        .id = TensorId::dropped_weights,
        .name = "dropped_weights",
        .title = "dropped",
        .symbol = "D",
        .letters = kLettersOfKeys,
        .formula = "weights · keep mask / (1 - p)",
        .meaning = "The weights after dropout: some are set to 0, the others are divided by 1 - p to make up for it.",
        .has_heads = true,
        .columns = Axis::key_token,
        .is_signed = false,
        .sources = kDroppedSources},
    StageInfo{.id = TensorId::context,
              .name = "context",
              .title = "context",
              .symbol = "C",
              .letters = kLettersOfChannels,
              .formula = "weights · values",
              .meaning = "For each token the values of all tokens it attends to, mixed by their weights.",
              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kContextSources},
    StageInfo{.id = TensorId::merged,
              .name = "merged",
              .title = "merged",
              .symbol = "H",
              .letters = "(T, d_out)",
              .formula = "context of all heads, side by side",
              .meaning = "The context vectors of all heads put side by side again.",
              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kMergedSources},
    StageInfo{.id = TensorId::output,
              .name = "output",
              .title = "output",
              .symbol = "Y",
              .letters = "(T, d_out)",
              .formula = "merged · w_out + b_out",
              .meaning = "The merged heads mixed by the output projection: what attention hands on.",
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

}  // namespace

std::span<const StageInfo> stage_table() {
    return kStages;
}

const StageInfo& stage_info(TensorId id) {
    const auto row = std::find_if(kStages.begin(), kStages.end(), [&](const StageInfo& info) { return info.id == id; });
    ATTN_CHECK(row != kStages.end(), "tensor ", tensor_name(id), " is not a stage");
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
    for (int tensor = 0; tensor <= static_cast<int>(TensorId::b_out); ++tensor) {
        if (tensor_name(static_cast<TensorId>(tensor)) == wanted) return static_cast<TensorId>(tensor);
    }
    fail_check(__FILE__, __LINE__, concat("no tensor has the gradient ", tensor_name(id)));
}

std::string_view tensor_name(TensorId id) {
    switch (id) {
        case TensorId::embeddings:
            return "embeddings";
        case TensorId::queries:
            return "queries";
        case TensorId::keys:
            return "keys";
        case TensorId::values:
            return "values";
        case TensorId::scores:
            return "scores";
        case TensorId::scaled_scores:
            return "scaled_scores";
        case TensorId::masked_scores:
            return "masked_scores";
        case TensorId::unmasked_weights:
            return "unmasked_weights";
        case TensorId::weights:
            return "weights";
        case TensorId::dropped_weights:
            return "dropped_weights";
        case TensorId::context:
            return "context";
        case TensorId::merged:
            return "merged";
        case TensorId::output:
            return "output";
        case TensorId::logits:
            return "logits";
        case TensorId::probabilities:
            return "probabilities";
        case TensorId::grad_logits:
            return "grad_logits";
        case TensorId::grad_output:
            return "grad_output";
        case TensorId::grad_merged:
            return "grad_merged";
        case TensorId::grad_context:
            return "grad_context";
        case TensorId::grad_dropped_weights:
            return "grad_dropped_weights";
        case TensorId::grad_weights:
            return "grad_weights";
        case TensorId::grad_unmasked_weights:
            return "grad_unmasked_weights";
        case TensorId::grad_masked_scores:
            return "grad_masked_scores";
        case TensorId::grad_scaled_scores:
            return "grad_scaled_scores";
        case TensorId::grad_scores:
            return "grad_scores";
        case TensorId::grad_queries:
            return "grad_queries";
        case TensorId::grad_keys:
            return "grad_keys";
        case TensorId::grad_values:
            return "grad_values";
        case TensorId::grad_embeddings:
            return "grad_embeddings";
        case TensorId::grad_w_query:
            return "grad_w_query";
        case TensorId::grad_w_key:
            return "grad_w_key";
        case TensorId::grad_w_value:
            return "grad_w_value";
        case TensorId::grad_b_query:
            return "grad_b_query";
        case TensorId::grad_b_key:
            return "grad_b_key";
        case TensorId::grad_b_value:
            return "grad_b_value";
        case TensorId::grad_w_out:
            return "grad_w_out";
        case TensorId::grad_b_out:
            return "grad_b_out";
        case TensorId::w_query:
            return "w_query";
        case TensorId::w_key:
            return "w_key";
        case TensorId::w_value:
            return "w_value";
        case TensorId::b_query:
            return "b_query";
        case TensorId::b_key:
            return "b_key";
        case TensorId::b_value:
            return "b_value";
        case TensorId::w_out:
            return "w_out";
        case TensorId::b_out:
            return "b_out";
        case TensorId::mask:
            return "mask";
        case TensorId::token_vectors:
            return "token_vectors";
        case TensorId::positions:
            return "positions";
        case TensorId::keep_mask:
            return "keep_mask";
        case TensorId::vocabulary:
            return "vocabulary";
    }
    fail_check(__FILE__, __LINE__, concat("no tensor has the number ", static_cast<int>(id)));
}

}  // namespace attn
