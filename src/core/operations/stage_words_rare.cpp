// The words of stages that most layers lack, and what variants change.

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "core/ground/check.h"
#include "core/operations/layer_rows.h"
#include "core/operations/stage_words.h"

namespace attn {
namespace {

#if defined(ATTN_NO_LATENTS) && defined(ATTN_FORWARD_ONLY)  // the engine module that computes forward alone has none
constexpr std::array<StageWordsRow, 0> kRareWords;
#else
constexpr std::array kRareWords = std::to_array<StageWordsRow>({
#ifndef ATTN_NO_LATENTS
    {TensorId::query_latents, "X · w_down_query",
     "What the queries are made of: each token's embedding in fewer numbers."},
    {TensorId::latents, "X · w_down_kv",
     "One short vector for each token, which keys and values of all heads are made of: all that a cache has to "
     "keep."},
    {TensorId::absorbed_queries, "queries · w_keyᵀ of the head",
     "The same scores in another order: these times the latents, without keys."},
    {TensorId::mixed_latents, "weights · latents",
     "The same context in another order: these times w_value, without values."},
    {TensorId::position_queries, "X · w_query_rope, cut into heads",
     "What is turned in place of the queries: some numbers of each head for the position alone."},
    {TensorId::position_keys, "X · w_key_rope",
     "What is turned in place of the keys, one row a token for all heads: a cache keeps it beside the latent."},
#endif
    {TensorId::grad_position_keys,
     "the last numbers of grad_rotated_keys, summed over the heads, each pair turned back",
     "How the loss changes with each number of the position keys: all heads read the same ones."},
    {TensorId::normed_queries, "queries / the root mean square of the head's row · q_norm",
     "The queries at one length, each number times its learned weight."},
    {TensorId::normed_keys, "keys / the root mean square of the head's row · k_norm",
     "The keys at one length: how long a key was no longer counts, only where it points."},
    {TensorId::rotated_queries, "queries, each pair turned by position · its frequency",
     "The queries with their positions in them: pairs of numbers are turned, the further the later the token."},
    {TensorId::rotated_keys, "keys, each pair turned by position · its frequency",
     "The keys with their positions in them: a score then depends on the distance of the two tokens alone."},
    {TensorId::capped_scores, "cap · tanh(scaled scores / cap)",
     "The scaled scores kept between -cap and cap: small ones hardly change, large ones stop at the cap."},
    {TensorId::biased_scores, "scaled scores - slope of the head · distance",
     "The scaled scores less the head's slope times the distance: farther is fainter."},
    {TensorId::sink_weights, "exp of the head's sink logit over the row's sum of exponentials, its own among them",
     "How far each row of weights falls short of 1: the share of the head's sink."},
    {TensorId::logits, "output · the vector of each word",
     "How well what each token hands on matches each word: the larger, the likelier that word follows."},
    {TensorId::capped_logits, "cap · tanh(logits / cap)",
     "The logits kept between -cap and cap: however well a word matches, its logit stops at the cap."},
    {TensorId::probabilities, "softmax of each row of logits",
     "How likely each word is to follow each token; every row sums to 1."},
    {TensorId::grad_capped_logits, "", "What the loss asks of each capped logit."},
    {TensorId::grad_logits, "",
     "What the loss asks of each logit: less for words that do not follow, more for the one that does."},
    {TensorId::grad_merged, "", "How the loss changes with each number of the merged heads."},
    {TensorId::grad_dropped_weights, "", "How the loss changes with each weight after dropout."},
    {TensorId::grad_weights, "", "How the loss changes with each weight, if it could be moved alone."},
    {TensorId::grad_unmasked_weights, "back through the mask after the softmax",
     "How the loss changes with each weight before any key was hidden."},
    {TensorId::grad_masked_scores, "",
     "How the loss changes with each masked score; every row sums to 0, for softmax only moves weight from one key to "
     "another."},
    {TensorId::grad_scores, "", "How the loss changes with each score; every row sums to 0."},
    {TensorId::grad_latents, "",
     "How the loss changes with each number of the latents: keys and values of all heads are made of them."},
    {TensorId::grad_embeddings, "",
     "How the loss changes with each number of the embeddings: X was used three times, so three ways are added."},
    {TensorId::grad_b_key, "",
     "How the loss changes with each number of b_key: always 0 but for rounding, for softmax ignores what is added to "
     "a whole row."},
    {TensorId::grad_sink_logits,
     "-sink_weights · the average of grad_weights in the row, summed over the rows of the head",
     "How the loss changes with each head's sink logit."},
});
#endif

// Of a model's layer.
constexpr std::array kBlockWords = std::to_array<StageWordsRow>({
    {TensorId::before, "the stream out of the layer below; in the first layer the token's vector",
     "The residual stream that comes into the layer: what all layers below have made of each token."},
    {TensorId::attention_out, "merged, heads that are off or patched replaced, · w_out + b_out",
     "What the output projection gives: its norm is what the attention adds to the stream."},
    {TensorId::attention_added, "merged, heads that are off or patched replaced, · w_out + b_out",
     "What the attention adds to the stream."},
    {TensorId::middle, "stream + what the attention adds", "The residual stream between attention and MLP."},
    {TensorId::mlp_input, "the middle stream, each row normed", "What the MLP works on."},
    {TensorId::mlp_gate, "MLP input · the gate's matrix", "What opens and closes each of the MLP's sums."},
    {TensorId::mlp_sums, "MLP input · the MLP's first matrix + its bias",
     "One number a neuron: how well what the token's row holds matches what the neuron looks for."},
    {TensorId::mlp_hidden, "each of the MLP's sums after the activation",
     "What each neuron hands on: much where its sum is large, next to nothing where it is below 0."},
    {TensorId::mlp_out, "the activated sums · the MLP's second matrix + its bias",
     "What the MLP gives: its norm is what is added to the stream."},
    {TensorId::mlp_added, "the activated sums · the MLP's second matrix + its bias",
     "What the MLP adds to the stream: each neuron's vector as often as the neuron says."},
    {TensorId::after, "middle stream + what the MLP adds",
     "The residual stream that goes out of the layer: what comes into the next."},
    {TensorId::final_stream, "the stream out of the last layer, each row normed",
     "What the logits are made of: the stream after the last layer and the last norm."},
    {TensorId::logit_input, "the final stream after a dense layer, an activation and a norm",
     "What the logits of a model like BERT are made of."},
});

// Keeps a text that is put together. There are as many as there are kinds of layers.
std::string_view kept(const std::string& text) {
    static std::set<std::string> texts;
    return *texts.insert(text).first;
}

void name_weights(MaskAt mask_at, StageWords& words) {
    if (mask_at == MaskAt::after) {
        words = {"softmax with hidden keys at 0, each row divided by its sum",
                 "How much each token (row) attends to each token (column): what the mask left of the row, made to sum "
                 "to 1 again."};
    } else if (mask_at == MaskAt::after_raw) {
        words = {"softmax with hidden keys at 0",
                 "What the mask left of each row. Rows with hidden keys no longer sum to 1: as weights these are "
                 "wrong."};
    }
}

// Queries, or keys and values, are made of latents.
void name_latents(TensorId stage, const LayerParts& parts, StageWords& words) {
    const bool is_of_queries = stage == TensorId::queries || stage == TensorId::position_queries;
    const bool is_of_keys = stage == TensorId::keys || stage == TensorId::values;
    const std::string_view source = is_of_queries && parts.has_query_latent ? "query latents"
                                    : is_of_keys && parts.has_latent        ? "latents"
                                                                            : "";
    if (!source.empty()) words.formula = kept(concat(source, words.formula.substr(1)));  // instead of X
    if (stage == TensorId::grad_embeddings && (parts.has_latent || parts.has_query_latent))
        words.meaning = "How the loss changes with each number of the embeddings: the ways back meet here.";
}

#ifndef ATTN_FORWARD_ONLY  // the engine module that computes forward alone has neither
void name_turned_roles(StageWords& words, TensorId stage) {
    switch (stage) {
        case TensorId::scores:
            words.formula = "dot product of a rotated query and a rotated key";
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

// What is made of queries and keys that are normed; behind the norm each row is divided by a length of its own.
void name_normed_roles(StageWords& words, TensorId stage, bool is_rotary) {
    switch (stage) {
        case TensorId::scores:
            if (!is_rotary) words.formula = "dot product of a normed query and a normed key";
            break;
        case TensorId::rotated_queries:
            words.formula = "normed queries, each pair turned by position · its frequency";
            break;
        case TensorId::rotated_keys:
            words.formula = "normed keys, each pair turned by position · its frequency";
            break;
        case TensorId::grad_b_key:
            words.meaning =
                "How the loss changes with each number of b_key: each key is divided by its own length, so it is no "
                "longer the same for a whole row.";
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
        default:
            break;
    }
}

// A model's layer: where its norms are.
void name_block(StageWords& words, TensorId stage, const LayerParts& parts) {
    const std::string_view normed = parts.norms_inputs ? ", each row normed" : "";
    if (stage == TensorId::embeddings)
        words = {kept(concat("the stream that comes in", normed)), "What the attention works on (X)."};
    if (stage == TensorId::mlp_input)
        words.formula = kept(concat(parts.is_parallel ? "the stream that comes in" : "the middle stream", normed));
    if (stage == TensorId::attention_added && (parts.has_mlp_out || parts.has_attention_out))
        words.formula = "what the output projection gives, each row normed";
    if (stage == TensorId::mlp_added && parts.has_mlp_out) words.formula = "MLP out, each row normed";
    if (parts.norms_sums && stage == TensorId::final_stream) words.formula = "the stream out of the last layer";
    if (parts.norms_sums && (stage == TensorId::middle || stage == TensorId::after))
        words.formula = kept(concat("the norm of ", words.formula));
}

// A row's weights no longer sum to 1.
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
        default:
            break;
    }
}

// Gradients that a sink or a cap keeps from cancelling: a sink takes weight from its row, and a cap lets less of some
// gradients through than of others.
void name_uncancelled(StageWords& words, TensorId stage, bool has_cap) {
    switch (stage) {
        case TensorId::grad_scores:
            words.meaning = "How the loss changes with each score.";
            break;
        case TensorId::grad_b_key:
            words.meaning = has_cap ? "How the loss changes with each number of b_key: what is added to a whole row "
                                      "moves its scores towards the cap, some further than others."
                                    : "How the loss changes with each number of b_key: what is added to a whole row "
                                      "takes weight from the sink.";
            break;
        default:
            break;
    }
}

// What is made of the scaled scores where nothing stands between.
void name_changed_scores(StageWords& words, TensorId stage, const LayerParts& parts) {
    for (const FoundRow& row : forward_rows({parts, GoalKind::none})) {
        if (row.result != stage || row.operands[0] == TensorId::scaled_scores) continue;
        const std::string_view source = row.operands[0] == TensorId::biased_scores ? "biased scores" : "capped scores";
        if (stage == TensorId::biased_scores) words.formula = kept(concat(source, " - slope of the head · distance"));
        if (stage == TensorId::unmasked_weights) words.formula = kept(concat("softmax of each whole row of ", source));
        if (stage != TensorId::masked_scores) continue;
        words.formula = kept(concat(source, ", -inf where the key is hidden"));
        words.meaning =
            kept(concat("The ", source, " without the keys a token may not look at, such as later tokens."));
    }
}

// The formula of a gradient: of the rows that add to it, or back through a softmax.
void name_gradient(TensorId stage, const LayerParts& parts, GoalKind goal, StageWords& words) {
    const bool is_pattern = goal == GoalKind::pattern;
    const bool is_at_softmax = tensor_of_gradient(stage) == softmax_source(parts);
    const bool is_raw = parts.mask_at == MaskAt::after_raw;
    if (is_at_softmax) {
        if (is_pattern)
            words.formula =
                is_raw ? "(softmax - target) / rows with targets" : "(weights - target) / rows with targets";
        else
            words.formula = is_raw ? "softmax · (grad_unmasked_weights - their average in the row)"
                                   : "weights · (grad_weights - their average in the row)";
    } else if (is_pattern && stage == TensorId::grad_sink_logits) {
        words.formula = "sink_weights / rows with targets, summed over the head's rows with targets";
    } else if (is_pattern && stage == TensorId::grad_weights) {
        words.formula = "-target / (weights · rows with targets)";
    } else if (tensor_of_gradient(stage) == softmax_source_of_words(parts)) {
        words.formula = "(probabilities - 1 for the word that follows) / number of positions";
    } else if (const std::string sum = formula_of_gradient({parts, goal}, stage); !sum.empty()) {
        words.formula = kept(sum);
    }
}
#endif

}  // namespace

bool column_sums_to_zero(TensorId stage, const LayerParts& parts) {
    if (!needs_goal(stage) || !is_gradient(stage) || parts.has_sink || parts.has_cap) return false;
    const TensorId of = tensor_of_gradient(stage);
    return of == scored_keys(parts) || (of == TensorId::keys && parts.has_own_rotary);
}

StageWords words_of_rare_stage(TensorId stage) {
    const auto row = std::find_if(kRareWords.begin(), kRareWords.end(),
                                  [&](const StageWordsRow& one) { return one.stage == stage; });
    if (row != kRareWords.end()) return {row->formula, row->meaning};
    if (kOpensModels && is_block_stage(stage)) {
        const StageWordsRow& of_block = *std::ranges::find(kBlockWords, stage, &StageWordsRow::stage);
        return {of_block.formula, of_block.meaning};
    }
    ATTN_CHECK(is_gradient(stage), "tensor ", tensor_name(stage), " is not a stage");
    const TensorId of = tensor_of_gradient(stage);
    std::string name(tensor_name(of));
    if (!is_learned(of)) std::replace(name.begin(), name.end(), '_', ' ');
    return {"", kept(concat("How the loss changes with each number of ", is_learned(of) ? "" : "the ", name, "."))};
}

void change_words(TensorId stage, const LayerParts& parts, [[maybe_unused]] GoalKind goal, StageWords& words) {
    const bool has_sink = kHasSinks && parts.has_sink;
    if (stage == TensorId::weights && !has_sink) return name_weights(parts.mask_at, words);
    if (kHasLatents) name_latents(stage, parts, words);
#ifndef ATTN_FORWARD_ONLY
    if (is_gradient(stage)) name_gradient(stage, parts, goal, words);
    if (column_sums_to_zero(stage, parts))
        words.meaning = kept(concat(words.meaning.substr(0, words.meaning.size() - 1), "; every column sums to 0."));
    if (parts.has_sink) name_sink(words, stage);
    if (parts.has_sink || parts.has_cap) name_uncancelled(words, stage, parts.has_cap);
    if (parts.is_rotary && !parts.has_own_rotary) name_turned_roles(words, stage);
    if (parts.has_own_rotary) name_own_part(words, stage);
    if (parts.has_qk_norm) name_normed_roles(words, stage, parts.is_rotary);
    if (kOpensModels && parts.has_block) name_block(words, stage, parts);
    if (parts.has_logit_cap && stage == TensorId::probabilities) words.formula = "softmax of each row of capped logits";
    if (parts.is_alibi || parts.has_cap) name_changed_scores(words, stage, parts);
#endif
}

}  // namespace attn
