// Turns the letters of a shape into numbers; the stage table says what they mean.
#include "playground/state/shapes.h"

#include "core/attention/masking.h"
#include "core/ground/check.h"

namespace attn {

int count_tokens(const Inputs& inputs, std::size_t sentence) {
    ATTN_CHECK(sentence < inputs.texts.size(), "sentence ", sentence, " of ", inputs.texts.size());
    return static_cast<int>(tokenize(inputs.texts[sentence], inputs.tokens).tokens.size());
}

Sizes sizes_of(const Inputs& inputs, int num_tokens) {
    return {.num_tokens = num_tokens, .d_in = inputs.d_in, .d_out = inputs.d_out, .num_heads = inputs.num_heads};
}

bool is_present(const Inputs& inputs, TensorId stage) {
    if (stage == TensorId::dropped_weights) return inputs.dropout > 0;
    if (stage == TensorId::output) return inputs.out;
    return exists_with(inputs.mask_at, stage);
}

std::vector<TensorId> present_stages(const Inputs& inputs) {
    std::vector<TensorId> stages;
    for (const StageInfo& info : stage_table()) {
        if (is_present(inputs, info.id)) stages.push_back(info.id);
    }
    return stages;
}

Extent stage_extent(const Sizes& sizes, TensorId stage) {
    const StageInfo& info = stage_info(stage);
    if (info.columns != Axis::channel) return {.rows = sizes.num_tokens, .columns = sizes.num_tokens};
    if (info.has_heads) return {.rows = sizes.num_tokens, .columns = sizes.head_dim()};
    return {.rows = sizes.num_tokens, .columns = stage == TensorId::embeddings ? sizes.d_in : sizes.d_out};
}

Extent edit_extent(const Inputs& inputs, int num_tokens, TensorId tensor) {
    const bool has_matrices = inputs.init != Init::none;
    switch (tensor) {
        case TensorId::embeddings:
            return {.rows = num_tokens, .columns = inputs.d_in};
        case TensorId::mask:
            return {.rows = num_tokens, .columns = num_tokens};
        case TensorId::queries:
        case TensorId::keys:
        case TensorId::values:
            return {.rows = num_tokens, .columns = inputs.d_out};
        case TensorId::w_query:
        case TensorId::w_key:
        case TensorId::w_value:
            return has_matrices ? Extent{.rows = inputs.d_in, .columns = inputs.d_out} : Extent{};
        case TensorId::b_query:
        case TensorId::b_key:
        case TensorId::b_value:
            return inputs.bias ? Extent{.rows = 1, .columns = inputs.d_out} : Extent{};
        case TensorId::w_out:
            return inputs.out ? Extent{.rows = inputs.d_out, .columns = inputs.d_out} : Extent{};
        case TensorId::b_out:
            return inputs.out ? Extent{.rows = 1, .columns = inputs.d_out} : Extent{};
        default:
            ATTN_CHECK(false, tensor_name(tensor), " cannot be edited");
    }
}

}  // namespace attn
