// What follows from the inputs alone: tokens, sizes, and which stages there are.
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

// What a model has around the attention. Apart: a first visit shows random numbers.
[[gnu::noinline]] BlockParts block_of(const Inputs& inputs) {
    const std::shared_ptr<const OpenModel> model = open_model_of(inputs);
    return model ? model->block_of(inputs) : BlockParts();
}

}  // namespace

Sizes sizes_of(const Inputs& inputs, int num_tokens) {
    Sizes sizes = sizes_of_layer(inputs, num_tokens);
    if (kOpensModels && !inputs.model.empty()) sizes.mlp_width = block_of(inputs).mlp_width;
    if (inputs.goal == GoalKind::next) sizes.num_words = static_cast<int>(words_of(inputs).size());
    return sizes;
}

LayerParts layer_parts(const Inputs& inputs) {
    LayerParts parts = {.has_matrices = inputs.init != Init::none,
                        .has_bias = inputs.bias,
                        .has_out = inputs.out,
                        .has_dropout = inputs.dropout > 0,
                        .has_query_latent = inputs.query_latent != 0,
                        .has_latent = inputs.latent != 0,
                        .is_rotary = inputs.positions == Positions::rope,
                        .is_alibi = inputs.positions == Positions::alibi,
                        .has_cap = inputs.score_cap > 0,
                        .has_logit_cap = inputs.logit_cap > 0,
                        .has_own_rotary = inputs.rope_dim != 0,
                        .has_qk_norm = inputs.has_qk_norm(),
                        .has_sink = inputs.has_sink(),
                        .mask_at = inputs.mask_at};
    if (kOpensModels && !inputs.model.empty()) parts.add_block(block_of(inputs));
    return parts;
}

bool is_present(const Inputs& inputs, TensorId stage) {
    return has_stage(stage, inputs.goal, layer_parts(inputs));
}

std::vector<TensorId> present_stages(const Inputs& inputs) {
    const LayerParts parts = layer_parts(inputs);
    std::vector<TensorId> stages;
    for (const StageInfo& info : stage_table()) {
        if (has_stage(info.id, inputs.goal, parts)) stages.push_back(info.id);
    }
    return stages;
}

int num_matrices(const Sizes& sizes, TensorId stage) {
    return sizes.of(dims_of(stage).matrices);
}

int first_reader(const Sizes& sizes, TensorId stage, int n) {
    return has_kv_heads(stage) ? n * sizes.heads_per_kv_head() : n;
}

Extent edit_extent(const Inputs& inputs, int num_tokens, TensorId tensor) {
    const bool is_input = tensor == TensorId::embeddings || tensor == TensorId::mask || is_role(tensor);
    ATTN_CHECK(is_input || is_learned(tensor), tensor_name(tensor), " cannot be edited");
    if (is_learned(tensor) && !has_learned(tensor, layer_parts(inputs))) return {};
    return whole_extent(sizes_of_layer(inputs, num_tokens), tensor);
}

}  // namespace attn
