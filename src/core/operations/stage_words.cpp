#include "core/operations/stage_words.h"

#include <algorithm>
#include <array>

#include "core/ground/check.h"

namespace attn {
namespace {

constexpr std::array kLayerWords = std::to_array<StageWordsRow>({
    {TensorId::embeddings, "token vectors (+ positions)", "One vector of d_in numbers for each token (X)."},
    {TensorId::queries, "X · w_query (+ b_query), cut into heads", "What each token looks for in the others (Q)."},
    {TensorId::keys, "X · w_key (+ b_key), cut into heads", "What each token offers to be found by (K)."},
    {TensorId::values, "X · w_value (+ b_value), cut into heads",
     "What each token passes on to the tokens that attend to it (V)."},
    {TensorId::scores, "dot product of a query and a key",
     "How well each token's query (row) matches each token's key (column)."},
    {TensorId::scaled_scores, "scores / (scale · temperature)",
     "The scores divided by the scale (÷ √d), which keeps softmax from putting everything on one token."},
    {TensorId::masked_scores, "scaled scores, -inf where the key is hidden",
     "The scaled scores without the keys a token may not look at, such as later tokens."},
    {TensorId::unmasked_weights, "softmax of each whole row of scaled scores",
     "The weights before any key is hidden: later tokens take their share, too."},
    {TensorId::weights, "softmax of each row of masked scores",
     "How much each token (row) attends to each token (column); every row sums to 1."},
    {TensorId::dropped_weights, "weights · keep mask / (1 - p)",
     "The weights after dropout: some are set to 0, the others are divided by 1 - p to make up for it."},
    {TensorId::context, "weights · values",
     "For each token the values of all tokens it attends to, mixed by their weights."},
    {TensorId::merged, "context of all heads, side by side",
     "The context vectors of all heads put side by side again."},
    {TensorId::output, "merged · w_out (+ b_out)",
     "The merged heads mixed by the output projection: what attention hands on."},
});

}  // namespace

StageWords stage_words(TensorId stage, const LayerParts& parts, GoalKind goal) {
    const auto found = std::find_if(kLayerWords.begin(), kLayerWords.end(),
                                    [&](const StageWordsRow& one) { return one.stage == stage; });
    StageWords words =
        found == kLayerWords.end() ? words_of_rare_stage(stage) : StageWords{found->formula, found->meaning};
    const bool is_plain = !parts.has_query_latent && !parts.has_latent && !parts.is_rotary && !parts.is_alibi &&
                          !parts.has_qk_norm && !parts.has_cap && !parts.has_sink && parts.mask_at == MaskAt::before &&
                          !parts.has_block && !needs_goal(stage);
    if (!is_plain) change_words(stage, parts, goal, words);
    return words;
}

StageWords stage_words(TensorId stage) {
    const LayerParts plain{.has_matrices = true, .has_bias = true, .has_out = true};
    std::array<LayerParts, 11> layers;
    layers.fill(plain);
    layers[1].has_dropout = true;
    layers[2].mask_at = MaskAt::after;
    layers[3].is_rotary = true;
    layers[4].is_alibi = true;
    layers[5].has_sink = true;
    layers[6].has_query_latent = layers[6].has_latent = true;
    layers[7] = layers[6];
    layers[7].is_rotary = layers[7].has_own_rotary = true;
    layers[8].has_cap = layers[8].has_logit_cap = true;
    layers[9].has_qk_norm = true;
    layers[10].has_block = layers[10].has_attention_added = layers[10].has_mlp = layers[10].has_mlp_gate = true;
    layers[10].has_attention_out = layers[10].has_mlp_out = layers[10].has_final_stream = layers[10].has_logit_input =
        true;
    const auto found = std::find_if(layers.begin(), layers.end(),
                                    [&](const LayerParts& parts) { return has_stage(stage, GoalKind::next, parts); });
    return stage_words(stage, found == layers.end() ? plain : *found, GoalKind::next);
}

}  // namespace attn
