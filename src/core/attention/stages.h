// The stage table: every step from embeddings to output, to the words' probabilities, and back from the loss, once.
// Stage strip, heat maps, explanations, exports, golden files, screen-reader text and tests walk it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace attn {

// Every tensor that can be named: first the stages in the order they are computed, then what a person may set.
enum class TensorId {
    embeddings,
    queries,
    keys,
    values,
    scores,
    scaled_scores,
    masked_scores,
    unmasked_weights,
    weights,
    dropped_weights,
    context,
    merged,
    output,
    logits,
    probabilities,  // goal `next`: one number for each word of the vocabulary
    grad_logits,    // from here on the way back: the gradient of the loss at the tensor of that name
    grad_output,
    grad_merged,
    grad_context,
    grad_dropped_weights,
    grad_weights,
    grad_unmasked_weights,
    grad_masked_scores,
    grad_scaled_scores,
    grad_scores,
    grad_queries,
    grad_keys,
    grad_values,
    grad_embeddings,
    grad_w_query,
    grad_w_key,
    grad_w_value,
    grad_b_query,
    grad_b_key,
    grad_b_value,
    grad_w_out,
    grad_b_out,
    w_query,
    w_key,
    w_value,
    b_query,
    b_key,
    b_value,
    w_out,
    b_out,
    mask,
    token_vectors,
    positions,
    keep_mask,   // the parts that embeddings and dropped weights are made of
    vocabulary,  // the words' vectors, which the logits are made of
};

// What a row or a column stands for: a token of the sentence, a token that is looked at, a number of a vector, a word
// of the vocabulary.
enum class Axis { token, key_token, channel, word };

struct StageInfo {
    TensorId id;
    std::string_view name;     // in links and exports: "weights"
    std::string_view title;    // on the stage strip: "weights"
    std::string_view symbol;   // "A"
    std::string_view letters;  // "(num_heads, T, T)"
    std::string_view formula;  // "softmax of each row of masked_scores"
    std::string_view meaning;  // one sentence for help and screen readers
    bool has_heads;            // one matrix a head, else one for all
    Axis columns;              // what a column stands for
    bool is_signed;            // drawn with the diverging map
    std::span<const TensorId> sources;
    Axis rows = Axis::token;
};

// All stages in the order they are computed: forward from the embeddings, then back from the loss.
std::span<const StageInfo> stage_table();

// Whether `id` is a stage, and not a tensor that a person sets or a part of one.
constexpr bool is_stage(TensorId id) {
    return id < TensorId::w_query;
}

// Whether the stage belongs to the way back: a gradient.
constexpr bool is_gradient(TensorId id) {
    return id >= TensorId::grad_logits && id < TensorId::w_query;
}

// Whether the stage is there only where a loss is: a gradient, or what the loss is taken of. The engine module has
// none.
constexpr bool needs_goal([[maybe_unused]] TensorId id) {
#ifdef ATTN_FORWARD_ONLY
    return false;
#else
    return id >= TensorId::logits && id < TensorId::w_query;
#endif
}

// The tensor whose gradient this stage is: grad_w_query's is w_query. `id` is_gradient().
TensorId tensor_of_gradient(TensorId id);

// The row of `id` in the stage table; `id` must be a stage.
const StageInfo& stage_info(TensorId id);

// The stage of that name, or nothing.
std::optional<TensorId> stage_of_name(std::string_view name);

// The name of any tensor: a stage's name, or "w_query", "mask", ...
std::string_view tensor_name(TensorId id);

}  // namespace attn
