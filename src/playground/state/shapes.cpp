// Turns the letters of a shape into numbers; the stage table says what they mean.
#include "playground/state/shapes.h"

#include <string>
#include <utility>

#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "core/words/embeddings.h"

namespace attn {

int count_tokens(const Inputs& inputs, std::size_t sentence) {
    ATTN_CHECK(sentence < inputs.texts.size(), "sentence ", sentence, " of ", inputs.texts.size());
    return static_cast<int>(tokenize(inputs.texts[sentence], inputs.tokens).tokens.size());
}

std::vector<std::string> words_of(const Inputs& inputs) {
    std::vector<std::string> tokens;
    for (const std::string& text : inputs.texts) {
        for (Token& token : tokenize(text, inputs.tokens).tokens) tokens.push_back(std::move(token.text));
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
            .num_kv_heads = inputs.num_kv_heads};
}

}  // namespace

Sizes sizes_of(const Inputs& inputs, int num_tokens) {
    Sizes sizes = sizes_of_layer(inputs, num_tokens);
    if (inputs.goal == GoalKind::next) sizes.num_words = static_cast<int>(words_of(inputs).size());
    return sizes;
}

bool is_present(const Inputs& inputs, TensorId stage) {
    const LayerParts parts = {.has_matrices = inputs.init != Init::none,
                              .has_bias = inputs.bias,
                              .has_out = inputs.out,
                              .has_dropout = inputs.dropout > 0,
                              .mask_at = inputs.mask_at};
    return has_stage(stage, inputs.goal, parts);
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
    if (sizes.num_kv_heads == 0 || !is_shared_by_heads(stage)) return letters;
    const std::string_view own = has_kv_heads(stage) ? "num_heads" : "d_out";
    return letters.replace(letters.find(own), own.size(), has_kv_heads(stage) ? "kv_heads" : "kv_width");
}

Extent stage_extent(const Sizes& sizes, TensorId stage) {
    const StageInfo& info = stage_info(stage);
    if (info.columns == Axis::key_token) return {.rows = sizes.num_tokens, .columns = sizes.num_tokens};
    if (info.columns == Axis::word) return {.rows = sizes.num_tokens, .columns = sizes.num_words};
    if (info.has_heads) return {.rows = sizes.num_tokens, .columns = sizes.head_dim()};
    const bool is_of_x = stage == TensorId::embeddings || stage == TensorId::grad_embeddings;
    if (info.rows == Axis::token) return {.rows = sizes.num_tokens, .columns = is_of_x ? sizes.d_in : sizes.d_out};
    const bool is_bias = stage == TensorId::grad_b_query || stage == TensorId::grad_b_key ||
                         stage == TensorId::grad_b_value || stage == TensorId::grad_b_out;
    const int columns = has_kv_width(stage) ? sizes.kv_width() : sizes.d_out;
    if (is_bias) return {.rows = 1, .columns = columns};
    return {.rows = stage == TensorId::grad_w_out ? sizes.d_out : sizes.d_in, .columns = columns};
}

Extent edit_extent(const Inputs& inputs, int num_tokens, TensorId tensor) {
    const bool has_matrices = inputs.init != Init::none;
    const int kv_width = sizes_of_layer(inputs, num_tokens).kv_width();
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
            return has_matrices ? Extent{.rows = inputs.d_in, .columns = inputs.d_out} : Extent{};
        case TensorId::w_key:
        case TensorId::w_value:
            return has_matrices ? Extent{.rows = inputs.d_in, .columns = kv_width} : Extent{};
        case TensorId::b_query:
            return inputs.bias ? Extent{.rows = 1, .columns = inputs.d_out} : Extent{};
        case TensorId::b_key:
        case TensorId::b_value:
            return inputs.bias ? Extent{.rows = 1, .columns = kv_width} : Extent{};
        case TensorId::w_out:
            return inputs.out ? Extent{.rows = inputs.d_out, .columns = inputs.d_out} : Extent{};
        case TensorId::b_out:
            return inputs.out ? Extent{.rows = 1, .columns = inputs.d_out} : Extent{};
        default:
            ATTN_CHECK(false, tensor_name(tensor), " cannot be edited");
    }
}

}  // namespace attn
