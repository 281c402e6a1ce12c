// Turns the letters of a shape into numbers; the stage table says what they mean.
#include "playground/state/shapes.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "core/words/embeddings.h"
#include "playground/state/open_models.h"

namespace attn {

Tokens tokens_of(const Inputs& inputs, std::size_t sentence) {
    ATTN_CHECK(sentence < inputs.texts.size(), "sentence ", sentence, " of ", inputs.texts.size());
    const std::string& text = inputs.texts[sentence];
    const std::shared_ptr<const OpenModel> model = open_model_of(inputs);
    return model ? model->tokenize(text) : tokenize(text, inputs.tokens);
}

int count_tokens(const Inputs& inputs, std::size_t sentence) {
    return static_cast<int>(tokens_of(inputs, sentence).tokens.size());
}

std::optional<int> same_place(const Tokens& before, int index, const Tokens& after) {
    if (index < 0 || index >= static_cast<int>(before.tokens.size())) return std::nullopt;
    const Token& token = before.tokens[static_cast<std::size_t>(index)];
    const auto found = std::find_if(after.tokens.begin(), after.tokens.end(),
                                    [&](const Token& one) { return one.begin < token.end && one.end > token.begin; });
    if (found == after.tokens.end()) return std::nullopt;
    return static_cast<int>(found - after.tokens.begin());
}

std::vector<std::string> words_of(const Inputs& inputs) {
    std::vector<std::string> tokens;
    for (std::size_t s = 0; s < inputs.texts.size(); ++s) {
        for (Token& token : tokens_of(inputs, s).tokens) tokens.push_back(std::move(token.text));
    }
    return vocabulary_of(tokens);
}

namespace {

// All but the words, which take a while.
Sizes sizes_of_layer(const Inputs& inputs, int num_tokens) {
    return {.num_tokens = num_tokens,
            .d_in = inputs.d_in,
            .d_out = inputs.d_out,
            .num_heads = inputs.num_heads,
            .num_kv_heads = inputs.num_kv_heads,
            .query_latent = kHasLatents ? inputs.query_latent : 0,
            .latent = kHasLatents ? inputs.latent : 0,
            .rope_dim = kHasLatents ? inputs.rope_dim : 0};
}

}  // namespace

Sizes sizes_of(const Inputs& inputs, int num_tokens) {
    Sizes sizes = sizes_of_layer(inputs, num_tokens);
    if (inputs.goal == GoalKind::next) sizes.num_words = static_cast<int>(words_of(inputs).size());
    return sizes;
}

LayerParts layer_parts(const Inputs& inputs) {
    return {.has_matrices = inputs.init != Init::none,
            .has_bias = inputs.bias,
            .has_out = inputs.out,
            .has_dropout = inputs.dropout > 0,
            .has_query_latent = inputs.query_latent != 0,
            .has_latent = inputs.latent != 0,
            .is_rotary = inputs.positions == Positions::rope,
            .is_alibi = inputs.positions == Positions::alibi,
            .has_own_rotary = inputs.rope_dim != 0,
            .has_sink = inputs.has_sink(),
            .mask_at = inputs.mask_at};
}

bool is_present(const Inputs& inputs, TensorId stage) {
    return has_stage(stage, inputs.goal, layer_parts(inputs));
}

TensorId softmax_source(const Inputs& inputs) {
    return softmax_source({.mask_at = inputs.mask_at, .alibi = {.is_on = inputs.positions == Positions::alibi}});
}

std::vector<TensorId> present_stages(const Inputs& inputs) {
    std::vector<TensorId> stages;
    for (const StageInfo& info : stage_table()) {
        if (is_present(inputs, info.id)) stages.push_back(info.id);
    }
    return stages;
}

int num_matrices(const Sizes& sizes, TensorId stage) {
    if (!stage_info(stage).has_heads) return 1;
    return has_kv_heads(stage) ? sizes.kv_heads() : sizes.num_heads;
}

int first_reader(const Sizes& sizes, TensorId stage, int n) {
    return has_kv_heads(stage) ? n * sizes.heads_per_kv_head() : n;
}

std::string shape_letters(const Sizes& sizes, TensorId stage) {
    std::string letters(stage_info(stage).letters);
    const auto replace = [&](std::string_view own, std::string_view with) {
        letters.replace(letters.find(own), own.size(), with);
    };
    if (kHasLatents && stage == TensorId::grad_w_query && sizes.query_latent != 0) replace("d_in", "query_latent");
    if (kHasLatents && (stage == TensorId::grad_w_key || stage == TensorId::grad_w_value) && sizes.latent != 0)
        replace("d_in", "latent");
    if (kHasLatents && stage == TensorId::grad_w_query_rope && sizes.query_latent != 0) replace("d_in", "query_latent");
    if (kHasLatents && is_turned_stage(stage) && sizes.rope_dim != 0) replace("head_dim", "head_dim + rope_dim");
    if (sizes.num_kv_heads == 0 || !is_shared_by_heads(stage)) return letters;
    has_kv_heads(stage) ? replace("num_heads", "kv_heads") : replace("d_out", "kv_width");
    return letters;
}

Extent stage_extent(const Sizes& sizes, TensorId stage) {
    const StageInfo& info = stage_info(stage);
    if (info.columns == Axis::key_token) return {.rows = sizes.num_tokens, .columns = sizes.num_tokens};
    if (info.columns == Axis::word) return {.rows = sizes.num_tokens, .columns = sizes.num_words};
    const int num_rows = info.rows == Axis::token ? sizes.num_tokens : sizes.d_in;
    if (kHasLatents && has_latent_columns(stage)) return {.rows = num_rows, .columns = sizes.latent};
    if (kHasLatents && has_query_latent_columns(stage)) return {.rows = num_rows, .columns = sizes.query_latent};
    if (kHasLatents && stage == TensorId::grad_w_query_rope)
        return {.rows = sizes.query_rows(), .columns = sizes.num_heads * sizes.rope_dim};
    if (kHasLatents && has_rope_columns(stage)) return {.rows = num_rows, .columns = sizes.rope_dim};
    if (kHasSinks && stage == TensorId::sink_weights) return {.rows = sizes.num_tokens, .columns = 1};
    if (kHasSinks && stage == TensorId::grad_sink_logits) return {.rows = 1, .columns = sizes.num_heads};
    if (info.has_heads)
        return {.rows = sizes.num_tokens, .columns = is_turned_stage(stage) ? sizes.score_dim() : sizes.head_dim()};
    const bool is_of_x = stage == TensorId::embeddings || stage == TensorId::grad_embeddings;
    if (info.rows == Axis::token) return {.rows = sizes.num_tokens, .columns = is_of_x ? sizes.d_in : sizes.d_out};
    const bool is_bias = stage == TensorId::grad_b_query || stage == TensorId::grad_b_key ||
                         stage == TensorId::grad_b_value || stage == TensorId::grad_b_out;
    const int columns = has_kv_width(stage) ? sizes.kv_width() : sizes.d_out;
    if (is_bias) return {.rows = 1, .columns = columns};
    if (stage == TensorId::grad_w_out) return {.rows = sizes.d_out, .columns = columns};
    return {.rows = stage == TensorId::grad_w_query ? sizes.query_rows() : sizes.kv_rows(), .columns = columns};
}

Extent edit_extent(const Inputs& inputs, int num_tokens, TensorId tensor) {
    const bool has_matrices = inputs.init != Init::none;
    const Sizes sizes = sizes_of_layer(inputs, num_tokens);
    const int kv_width = sizes.kv_width();
    switch (tensor) {
        case TensorId::embeddings:
            return {.rows = num_tokens, .columns = inputs.d_in};
        case TensorId::mask:
            return {.rows = num_tokens, .columns = num_tokens};
        case TensorId::queries:
            return {.rows = num_tokens, .columns = inputs.d_out};
        case TensorId::keys:
        case TensorId::values:
            return {.rows = num_tokens, .columns = kv_width};
        case TensorId::w_query:
            return has_matrices ? Extent{.rows = sizes.query_rows(), .columns = inputs.d_out} : Extent{};
        case TensorId::w_key:
        case TensorId::w_value:
            return has_matrices ? Extent{.rows = sizes.kv_rows(), .columns = kv_width} : Extent{};
        case TensorId::w_down_query:
            return kHasLatents && inputs.query_latent != 0 ? Extent{.rows = inputs.d_in, .columns = inputs.query_latent}
                                                           : Extent{};
        case TensorId::w_down_kv:
            return kHasLatents && inputs.latent != 0 ? Extent{.rows = inputs.d_in, .columns = inputs.latent} : Extent{};
        case TensorId::w_query_rope:
            return kHasLatents && inputs.rope_dim != 0
                       ? Extent{.rows = sizes.query_rows(), .columns = inputs.num_heads * inputs.rope_dim}
                       : Extent{};
        case TensorId::w_key_rope:
            return kHasLatents && inputs.rope_dim != 0 ? Extent{.rows = inputs.d_in, .columns = inputs.rope_dim}
                                                       : Extent{};
        case TensorId::b_query:
            return inputs.bias ? Extent{.rows = 1, .columns = inputs.d_out} : Extent{};
        case TensorId::b_key:
        case TensorId::b_value:
            return inputs.bias ? Extent{.rows = 1, .columns = kv_width} : Extent{};
        case TensorId::w_out:
            return inputs.out ? Extent{.rows = inputs.d_out, .columns = inputs.d_out} : Extent{};
        case TensorId::b_out:
            return inputs.out ? Extent{.rows = 1, .columns = inputs.d_out} : Extent{};
        case TensorId::sink_logits:
            return inputs.has_sink() ? Extent{.rows = 1, .columns = inputs.num_heads} : Extent{};
        default:
            ATTN_CHECK(false, tensor_name(tensor), " cannot be edited");
    }
}

}  // namespace attn
