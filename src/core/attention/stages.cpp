// The contents of the stage table: names, words and sources of each stage, no numbers.
#include "core/attention/stages.h"

#include <algorithm>
#include <array>

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
constexpr std::array kLogitSources = {TensorId::output, TensorId::merged, TensorId::vocabulary};
constexpr std::array kProbabilitySources = {TensorId::logits};
constexpr std::array kGradLogitSources = {TensorId::probabilities};
constexpr std::array kGradOutputSources = {TensorId::grad_logits, TensorId::vocabulary};
constexpr std::array kGradMergedSources = {TensorId::grad_output, TensorId::grad_logits, TensorId::vocabulary,
                                           TensorId::w_out};
constexpr std::array kGradContextSources = {TensorId::grad_merged};
constexpr std::array kGradDroppedSources = {TensorId::grad_context, TensorId::values};
constexpr std::array kGradWeightSources = {TensorId::grad_dropped_weights, TensorId::keep_mask, TensorId::grad_context,
                                           TensorId::values, TensorId::weights};
constexpr std::array kGradUnmaskedSources = {TensorId::grad_weights, TensorId::weights, TensorId::unmasked_weights};
constexpr std::array kGradMaskedSources = {TensorId::grad_weights, TensorId::weights};
constexpr std::array kGradScaledSources = {TensorId::grad_masked_scores, TensorId::grad_unmasked_weights,
                                           TensorId::unmasked_weights, TensorId::weights};
constexpr std::array kGradScoreSources = {TensorId::grad_scaled_scores};
constexpr std::array kGradQuerySources = {TensorId::grad_scores, TensorId::keys};
constexpr std::array kGradKeySources = {TensorId::grad_scores, TensorId::queries};
constexpr std::array kGradValueSources = {TensorId::weights, TensorId::dropped_weights, TensorId::grad_context};
constexpr std::array kGradEmbeddingSources = {TensorId::grad_queries, TensorId::grad_keys, TensorId::grad_values,
                                              TensorId::w_query,      TensorId::w_key,     TensorId::w_value};
constexpr std::array kGradWQuerySources = {TensorId::embeddings, TensorId::grad_queries};
constexpr std::array kGradWKeySources = {TensorId::embeddings, TensorId::grad_keys};
constexpr std::array kGradWValueSources = {TensorId::embeddings, TensorId::grad_values};
constexpr std::array kGradBQuerySources = {TensorId::grad_queries};
constexpr std::array kGradBKeySources = {TensorId::grad_keys};
constexpr std::array kGradBValueSources = {TensorId::grad_values};
constexpr std::array kGradWOutSources = {TensorId::merged, TensorId::grad_output};
constexpr std::array kGradBOutSources = {TensorId::grad_output};

constexpr std::string_view kPerHeadChannels = "(num_heads, T, head_dim)";
constexpr std::string_view kPerHeadKeys = "(num_heads, T, T)";

constexpr std::array kStages = {
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
              .letters = kPerHeadChannels,
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
              .letters = kPerHeadChannels,
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
              .letters = kPerHeadChannels,
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
              .letters = kPerHeadKeys,
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
        .letters = kPerHeadKeys,
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
              .letters = kPerHeadKeys,
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
              .letters = kPerHeadKeys,
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
              .letters = kPerHeadKeys,
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
        .letters = kPerHeadKeys,
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
              .letters = kPerHeadChannels,
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
#ifndef ATTN_FORWARD_ONLY
    StageInfo{.id = TensorId::logits,
              .name = "logits",
              .title = "logits",
              .symbol = "Z",
              .letters = "(T, V)",
              .formula = "output · the vector of each word",
              .meaning = "How well what each token hands on matches each word of the vocabulary: the larger, the "
                         "likelier that word follows.",
              .has_heads = false,
              .columns = Axis::word,
              .is_signed = true,
              .sources = kLogitSources},
    StageInfo{.id = TensorId::probabilities,
              .name = "probabilities",
              .title = "probabilities",
              .symbol = "p",
              .letters = "(T, V)",
              .formula = "softmax of each row of logits",
              .meaning = "How likely each word of the vocabulary is to follow each token; every row sums to 1.",
              .has_heads = false,
              .columns = Axis::word,
              .is_signed = false,
              .sources = kProbabilitySources},
    StageInfo{
        .id = TensorId::grad_logits,
        .name = "grad_logits",
        .title = "∂logits",
        .symbol = "∂Z",
        .letters = "(T, V)",
        .formula = "(probabilities - 1 for the word that follows) / number of positions",
        .meaning = "What the loss asks of each logit: less for words that do not follow, more for the one that does.",
        .has_heads = false,
        .columns = Axis::word,
        .is_signed = true,
        .sources = kGradLogitSources},
    StageInfo{.id = TensorId::grad_output,
              .name = "grad_output",
              .title = "∂output",
              .symbol = "∂Y",
              .letters = "(T, d_out)",
              .formula = "grad_logits · the vectors of the words",
              .meaning = "How the loss changes with each number of the output.",
              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradOutputSources},
    StageInfo{.id = TensorId::grad_merged,
              .name = "grad_merged",
              .title = "∂merged",
              .symbol = "∂H",
              .letters = "(T, d_out)",
              .formula = "grad_output · w_outᵀ",
              .meaning = "How the loss changes with each number of the merged heads.",
              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradMergedSources},
    StageInfo{.id = TensorId::grad_context,
              .name = "grad_context",
              .title = "∂context",
              .symbol = "∂C",
              .letters = kPerHeadChannels,
              .formula = "grad_merged, cut into heads",
              .meaning = "How the loss changes with each number of the context.",
              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradContextSources},
    StageInfo{.id = TensorId::grad_dropped_weights,
              .name = "grad_dropped_weights",
              .title = "∂dropped",
              .symbol = "∂D",
              .letters = kPerHeadKeys,
              .formula = "grad_context · valuesᵀ",
              .meaning = "How the loss changes with each weight after dropout.",
              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradDroppedSources},
    StageInfo{.id = TensorId::grad_weights,
              .name = "grad_weights",
              .title = "∂weights",
              .symbol = "∂A",
              .letters = kPerHeadKeys,
              .formula = "grad_context · valuesᵀ",
              .meaning = "How the loss changes with each weight, if it could be moved alone.",
              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradWeightSources},
    StageInfo{.id = TensorId::grad_unmasked_weights,
              .name = "grad_unmasked_weights",
              .title = "∂softmax",
              .symbol = "∂P",
              .letters = kPerHeadKeys,
              .formula = "back through the mask after the softmax",
              .meaning = "How the loss changes with each weight before any key was hidden.",
              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradUnmaskedSources},
    StageInfo{.id = TensorId::grad_masked_scores,
              .name = "grad_masked_scores",
              .title = "∂masked",
              .symbol = "∂M",
              .letters = kPerHeadKeys,
              .formula = "weights · (grad_weights - their average in the row)",
              .meaning = "How the loss changes with each masked score; every row sums to 0, for softmax only moves "
                         "weight from one key to another.",
              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradMaskedSources},
    StageInfo{.id = TensorId::grad_scaled_scores,
              .name = "grad_scaled_scores",
              .title = "∂scaled",
              .symbol = "∂S/d",
              .letters = kPerHeadKeys,
              .formula = "grad_masked_scores, 0 where the key is hidden",
              .meaning = "How the loss changes with each scaled score.",
              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradScaledSources},
    StageInfo{.id = TensorId::grad_scores,
              .name = "grad_scores",
              .title = "∂scores",
              .symbol = "∂S",
              .letters = kPerHeadKeys,
              .formula = "grad_scaled_scores / (scale · temperature)",
              .meaning = "How the loss changes with each score; every row sums to 0.",
              .has_heads = true,
              .columns = Axis::key_token,
              .is_signed = true,
              .sources = kGradScoreSources},
    StageInfo{.id = TensorId::grad_queries,
              .name = "grad_queries",
              .title = "∂Q",
              .symbol = "∂Q",
              .letters = kPerHeadChannels,
              .formula = "grad_scores · keys",
              .meaning = "How the loss changes with each number of the queries.",
              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradQuerySources},
    StageInfo{.id = TensorId::grad_keys,
              .name = "grad_keys",
              .title = "∂K",
              .symbol = "∂K",
              .letters = kPerHeadChannels,
              .formula = "grad_scoresᵀ · queries",
              .meaning = "How the loss changes with each number of the keys; every column sums to 0.",
              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradKeySources},
    StageInfo{.id = TensorId::grad_values,
              .name = "grad_values",
              .title = "∂V",
              .symbol = "∂V",
              .letters = kPerHeadChannels,
              .formula = "weightsᵀ · grad_context",
              .meaning = "How the loss changes with each number of the values.",
              .has_heads = true,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradValueSources},
    StageInfo{.id = TensorId::grad_embeddings,
              .name = "grad_embeddings",
              .title = "∂X",
              .symbol = "∂X",
              .letters = "(T, d_in)",
              .formula = "grad_queries · w_queryᵀ + grad_keys · w_keyᵀ + grad_values · w_valueᵀ",
              .meaning = "How the loss changes with each number of the embeddings: X was used three times, so three "
                         "ways back are added.",
              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradEmbeddingSources},
    StageInfo{.id = TensorId::grad_w_query,
              .name = "grad_w_query",
              .title = "∂W_q",
              .symbol = "∂W_q",
              .letters = "(d_in, d_out)",
              .formula = "Xᵀ · grad_queries",
              .meaning = "How the loss changes with each number of w_query.",
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
              .formula = "Xᵀ · grad_keys",
              .meaning = "How the loss changes with each number of w_key.",
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
              .formula = "Xᵀ · grad_values",
              .meaning = "How the loss changes with each number of w_value.",
              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradWValueSources,
              .rows = Axis::channel},
    StageInfo{.id = TensorId::grad_b_query,
              .name = "grad_b_query",
              .title = "∂b_q",
              .symbol = "∂b_q",
              .letters = "(1, d_out)",
              .formula = "grad_queries, summed over the tokens",
              .meaning = "How the loss changes with each number of b_query.",
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
              .formula = "grad_keys, summed over the tokens",
              .meaning = "How the loss changes with each number of b_key: always 0 but for rounding, for softmax "
                         "ignores what is added to a whole row.",
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
              .formula = "grad_values, summed over the tokens",
              .meaning = "How the loss changes with each number of b_value.",
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
              .formula = "mergedᵀ · grad_output",
              .meaning = "How the loss changes with each number of w_out.",
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
              .formula = "grad_output, summed over the tokens",
              .meaning = "How the loss changes with each number of b_out.",
              .has_heads = false,
              .columns = Axis::channel,
              .is_signed = true,
              .sources = kGradBOutSources,
              .rows = Axis::channel},
#endif
};

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
