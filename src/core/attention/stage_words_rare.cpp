#include "core/attention/stage_words_rare.h"

#include <algorithm>
#include <array>

#include "core/attention/stages.h"
#include "core/ground/check.h"

namespace attn {
namespace {

#if defined(ATTN_NO_LATENTS) && defined(ATTN_FORWARD_ONLY)  // the engine module that computes forward alone has none
constexpr std::array<StageWordsRow, 0> kRareWords;
#else
constexpr std::array kRareWords = std::to_array<StageWordsRow>({
#ifndef ATTN_NO_LATENTS
    {TensorId::query_latents,
     {"X · w_down_query", "What the queries are made of: each token's embedding in fewer numbers."}},
    {TensorId::latents,
     {"X · w_down_kv",
      "One short vector for each token, which keys and values of all heads are made of: all that a cache has to "
      "keep."}},
    {TensorId::absorbed_queries,
     {"queries · w_keyᵀ of the head",
      "The same scores in another order: these times the latents, and no key is made."}},
    {TensorId::mixed_latents,
     {"weights · latents", "The same context in another order: these times w_value, and no value is made."}},
    {TensorId::position_queries,
     {"X · w_query_rope, cut into heads",
      "What is turned in place of the queries: some numbers of each head for the position alone, before they are "
      "turned."}},
    {TensorId::position_keys,
     {"X · w_key_rope",
      "What is turned in place of the keys, one row a token for all heads, before it is turned: a cache keeps it "
      "beside "
      "the latent."}},
#endif
    {TensorId::grad_position_queries,
     {"the last numbers of grad_rotated_queries, each pair turned back",
      "How the loss changes with each number of the position queries."}},
    {TensorId::grad_position_keys,
     {"the last numbers of grad_rotated_keys, summed over the heads, each pair turned back",
      "How the loss changes with each number of the position keys: all heads read the same ones."}},
    {TensorId::grad_w_query_rope,
     {"Xᵀ · grad_position_queries", "How the loss changes with each number of w_query_rope."}},
    {TensorId::grad_w_key_rope, {"Xᵀ · grad_position_keys", "How the loss changes with each number of w_key_rope."}},
    {TensorId::rotated_queries,
     {"queries, each pair turned by position · its frequency",
      "The queries with their positions in them: pairs of numbers are turned, the further the later the token."}},
    {TensorId::rotated_keys,
     {"keys, each pair turned by position · its frequency",
      "The keys with their positions in them: a score then depends on the distance of the two tokens alone."}},
    {TensorId::biased_scores,
     {"scaled scores - slope of the head · distance",
      "The scaled scores less a part that grows with the distance, in each head at its own slope: farther is "
      "fainter."}},
    {TensorId::sink_weights,
     {"exp of the head's sink logit over the row's sum of exponentials, its own among them",
      "How far each row of weights falls short of 1: the share of the head's sink, which has no key and no value."}},
    {TensorId::logits,
     {"output · the vector of each word",
      "How well what each token hands on matches each word of the vocabulary: the larger, the likelier that word "
      "follows."}},
    {TensorId::probabilities,
     {"softmax of each row of logits",
      "How likely each word of the vocabulary is to follow each token; every row sums to 1."}},
    {TensorId::grad_logits,
     {"(probabilities - 1 for the word that follows) / number of positions",
      "What the loss asks of each logit: less for words that do not follow, more for the one that does."}},
    {TensorId::grad_output,
     {"grad_logits · the vectors of the words", "How the loss changes with each number of the output."}},
    {TensorId::grad_merged, {"grad_output · w_outᵀ", "How the loss changes with each number of the merged heads."}},
    {TensorId::grad_context, {"grad_merged, cut into heads", "How the loss changes with each number of the context."}},
    {TensorId::grad_dropped_weights,
     {"grad_context · valuesᵀ", "How the loss changes with each weight after dropout."}},
    {TensorId::grad_weights,
     {"grad_context · valuesᵀ", "How the loss changes with each weight, if it could be moved alone."}},
    {TensorId::grad_unmasked_weights,
     {"back through the mask after the softmax", "How the loss changes with each weight before any key was hidden."}},
    {TensorId::grad_masked_scores,
     {"weights · (grad_weights - their average in the row)",
      "How the loss changes with each masked score; every row sums to 0, for softmax only moves weight from one key to "
      "another."}},
    {TensorId::grad_biased_scores,
     {"grad_masked_scores, 0 where the key is hidden", "How the loss changes with each biased score."}},
    {TensorId::grad_scaled_scores,
     {"grad_masked_scores, 0 where the key is hidden", "How the loss changes with each scaled score."}},
    {TensorId::grad_scores,
     {"grad_scaled_scores / (scale · temperature)", "How the loss changes with each score; every row sums to 0."}},
    {TensorId::grad_rotated_queries,
     {"grad_scores · rotated_keys", "How the loss changes with each number of the rotated queries."}},
    {TensorId::grad_rotated_keys,
     {"grad_scoresᵀ · rotated_queries",
      "How the loss changes with each number of the rotated keys; every column sums to 0."}},
    {TensorId::grad_queries, {"grad_scores · keys", "How the loss changes with each number of the queries."}},
    {TensorId::grad_keys,
     {"grad_scoresᵀ · queries", "How the loss changes with each number of the keys; every column sums to 0."}},
    {TensorId::grad_values, {"weightsᵀ · grad_context", "How the loss changes with each number of the values."}},
    {TensorId::grad_query_latents,
     {"grad_queries · w_queryᵀ", "How the loss changes with each number of the query latents."}},
    {TensorId::grad_latents,
     {"grad_keys · w_keyᵀ + grad_values · w_valueᵀ",
      "How the loss changes with each number of the latents: keys and values of all heads are made of them."}},
    {TensorId::grad_embeddings,
     {"grad_queries · w_queryᵀ + grad_keys · w_keyᵀ + grad_values · w_valueᵀ",
      "How the loss changes with each number of the embeddings: X was used three times, so three ways back are "
      "added."}},
    {TensorId::grad_w_query, {"Xᵀ · grad_queries", "How the loss changes with each number of w_query."}},
    {TensorId::grad_w_key, {"Xᵀ · grad_keys", "How the loss changes with each number of w_key."}},
    {TensorId::grad_w_value, {"Xᵀ · grad_values", "How the loss changes with each number of w_value."}},
    {TensorId::grad_w_down_query,
     {"Xᵀ · grad_query_latents", "How the loss changes with each number of w_down_query."}},
    {TensorId::grad_w_down_kv, {"Xᵀ · grad_latents", "How the loss changes with each number of w_down_kv."}},
    {TensorId::grad_b_query,
     {"grad_queries, summed over the tokens", "How the loss changes with each number of b_query."}},
    {TensorId::grad_b_key,
     {"grad_keys, summed over the tokens",
      "How the loss changes with each number of b_key: always 0 but for rounding, for softmax ignores what is added to "
      "a whole row."}},
    {TensorId::grad_b_value,
     {"grad_values, summed over the tokens", "How the loss changes with each number of b_value."}},
    {TensorId::grad_w_out, {"mergedᵀ · grad_output", "How the loss changes with each number of w_out."}},
    {TensorId::grad_b_out, {"grad_output, summed over the tokens", "How the loss changes with each number of b_out."}},
    {TensorId::grad_sink_logits,
     {"-sink_weights · the average of grad_weights in the row, summed over the rows of the head",
      "How the loss changes with each head's sink logit."}},
});
#endif

StageWords words_of_weights(const StageWords& words, MaskAt mask_at) {
    switch (mask_at) {
        case MaskAt::before:
            break;
        case MaskAt::after:
            return {"softmax with hidden keys at 0, each row divided by its sum",
                    "How much each token (row) attends to each token (column): what the mask left of the row, made to "
                    "sum to 1 again."};
        case MaskAt::after_raw:
            return {"softmax with hidden keys at 0",
                    "What the mask left of each row. Rows with hidden keys no longer sum to 1: as weights these are "
                    "wrong."};
    }
    return words;
}

// The formula where queries, or keys and values, are made of latents; empty where it stays.
std::string_view formula_with_latents(TensorId stage, const LayerParts& parts) {
    if (parts.has_query_latent) {
        if (stage == TensorId::queries) return "query latents · w_query + b_query, cut into heads";
        if (stage == TensorId::grad_w_query) return "query_latentsᵀ · grad_queries";
        if (stage == TensorId::position_queries) return "query latents · w_query_rope, cut into heads";
        if (stage == TensorId::grad_w_query_rope) return "query_latentsᵀ · grad_position_queries";
        if (stage == TensorId::grad_query_latents && parts.has_own_rotary)
            return "grad_queries · w_queryᵀ + grad_position_queries · w_query_ropeᵀ";
    }
    if (parts.has_latent) {
        if (stage == TensorId::keys) return "latents · w_key + b_key, cut into heads";
        if (stage == TensorId::values) return "latents · w_value + b_value, cut into heads";
        if (stage == TensorId::grad_w_key) return "latentsᵀ · grad_keys";
        if (stage == TensorId::grad_w_value) return "latentsᵀ · grad_values";
    }
    if (stage != TensorId::grad_embeddings) return {};
    if (parts.has_own_rotary && parts.has_query_latent)
        return "grad_query_latents · w_down_queryᵀ + grad_latents · w_down_kvᵀ + grad_position_keys · w_key_ropeᵀ";
    if (parts.has_own_rotary)
        return "grad_queries · w_queryᵀ + grad_position_queries · w_query_ropeᵀ + grad_latents · w_down_kvᵀ + "
               "grad_position_keys · w_key_ropeᵀ";
    if (parts.has_query_latent && parts.has_latent)
        return "grad_query_latents · w_down_queryᵀ + grad_latents · w_down_kvᵀ";
    if (parts.has_latent) return "grad_queries · w_queryᵀ + grad_latents · w_down_kvᵀ";
    if (parts.has_query_latent)
        return "grad_query_latents · w_down_queryᵀ + grad_keys · w_keyᵀ + grad_values · w_valueᵀ";
    return {};
}

#ifndef ATTN_FORWARD_ONLY  // the engine module that computes forward alone has neither
void name_turned_roles(StageWords& words, TensorId stage) {
    switch (stage) {
        case TensorId::scores:
            words.formula = "dot product of a rotated query and a rotated key";
            break;
        case TensorId::grad_queries:
            words.formula = "grad_rotated_queries, each pair turned back";
            break;
        case TensorId::grad_keys:
            words.formula = "grad_rotated_keys, each pair turned back";
            // Turned by another angle in each row, the numbers of a column no longer cancel.
            words.meaning = "How the loss changes with each number of the keys.";
            break;
        case TensorId::grad_b_key:
            words.meaning =
                "How the loss changes with each number of b_key: turned by another angle at each key, it is no longer "
                "the same for a whole row.";
            break;
        default:
            break;
    }
}

// Queries and keys keep their numbers; those behind them are turned.
void name_own_part(StageWords& words, TensorId stage) {
    switch (stage) {
        case TensorId::rotated_queries:
            words = {"queries, then position_queries, each pair turned by position · its frequency",
                     "What the scores are made of: the numbers of the query as they are, then those that say where it "
                     "stands."};
            break;
        case TensorId::rotated_keys:
            words = {"keys, then position_keys, each pair turned by position · its frequency",
                     "What the scores are made of: the numbers of the key as they are, then those that say where it "
                     "stands, the same in all heads."};
            break;
        case TensorId::scores:
            words.formula = "dot product of query and key, plus that of the turned position query and position key";
            break;
        case TensorId::absorbed_queries:
            words.meaning =
                "The same scores in another order: these times the latents, plus the products of the turned numbers, "
                "and no key is made.";
            break;
        case TensorId::grad_queries:
            words.formula = "the first numbers of grad_rotated_queries";
            break;
        case TensorId::grad_keys:
            words.formula = "the first numbers of grad_rotated_keys";
            break;
        default:
            break;
    }
}

// A row's weights no longer sum to 1, and what is added to a whole row moves weight to the sink or from it.
void name_sink(StageWords& words, TensorId stage) {
    switch (stage) {
        case TensorId::weights:
            words = {"softmax of each row of masked scores with the head's sink logit beside them",
                     "How much each token (row) attends to each token (column); a row and its sink make 1 "
                     "together."};
            break;
        case TensorId::grad_masked_scores:
            words.meaning =
                "How the loss changes with each masked score; a row and its part of the sink's gradient make 0 "
                "together.";
            break;
        case TensorId::grad_scores:
            words.meaning = "How the loss changes with each score.";
            break;
        case TensorId::grad_keys:
            words.meaning = "How the loss changes with each number of the keys.";
            break;
        case TensorId::grad_rotated_keys:
            words.meaning = "How the loss changes with each number of the rotated keys.";
            break;
        case TensorId::grad_b_key:
            words.meaning =
                "How the loss changes with each number of b_key: what is added to a whole row takes weight from the "
                "sink.";
            break;
        default:
            break;
    }
}

void name_biased_scores(StageWords& words, TensorId stage, MaskAt mask_at) {
    switch (stage) {
        case TensorId::masked_scores:
            words.formula = "biased scores, -inf where the key is hidden";
            words.meaning = "The biased scores without the keys a token may not look at, such as later tokens.";
            break;
        case TensorId::unmasked_weights:
            words.formula = "softmax of each whole row of biased scores";
            break;
        case TensorId::grad_biased_scores:
            if (mask_at != MaskAt::before) words.formula = "back through the softmax";
            break;
        case TensorId::grad_scaled_scores:
            words.formula = "grad_biased_scores: the bias is the same whatever is learned";
            break;
        default:
            break;
    }
}
#endif

}  // namespace

StageWords words_of_rare_stage(TensorId stage) {
    const auto row = std::find_if(kRareWords.begin(), kRareWords.end(),
                                  [&](const StageWordsRow& one) { return one.stage == stage; });
    ATTN_CHECK(row != kRareWords.end(), "tensor ", tensor_name(stage), " is not a stage");
    return row->words;
}

StageWords words_with_parts(StageWords words, TensorId stage, const LayerParts& parts, GoalKind goal) {
    if (stage == TensorId::weights && !(kHasSinks && parts.has_sink)) return words_of_weights(words, parts.mask_at);
    if (kHasLatents && !formula_with_latents(stage, parts).empty()) words.formula = formula_with_latents(stage, parts);
    if (kHasLatents && stage == TensorId::grad_embeddings && (parts.has_latent || parts.has_query_latent))
        words.meaning = "How the loss changes with each number of the embeddings: the ways back meet here.";
#ifndef ATTN_FORWARD_ONLY
    if (parts.has_sink) name_sink(words, stage);
    if (parts.is_rotary && !parts.has_own_rotary) name_turned_roles(words, stage);
    if (kHasLatents && parts.has_own_rotary) name_own_part(words, stage);
    if (parts.is_alibi) name_biased_scores(words, stage, parts.mask_at);
#endif
    if (goal != GoalKind::pattern) return words;
    const TensorId at_mask = parts.is_alibi ? TensorId::grad_biased_scores : TensorId::grad_scaled_scores;
    const bool is_at_softmax = stage == (parts.mask_at == MaskAt::before ? TensorId::grad_masked_scores : at_mask);
    if (stage == TensorId::grad_sink_logits) {
        words.formula = "sink_weights / rows with targets, summed over the head's rows with targets";
    } else if (stage == TensorId::grad_weights) {
        words.formula = "-target / (weights · rows with targets)";
    } else if (is_at_softmax) {
        words.formula = parts.mask_at == MaskAt::after_raw ? "(softmax - target) / rows with targets"
                                                           : "(weights - target) / rows with targets";
    }
    return words;
}

}  // namespace attn
