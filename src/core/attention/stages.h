// The stage table: every step from embeddings to output, once. Stage strip, heat maps, explanations, exports, golden
// files, screen-reader text and tests walk it.
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
    keep_mask,  // the parts that embeddings and dropped weights are made of
};

enum class Axis { token, key_token, channel };

struct StageInfo {
    TensorId id;
    std::string_view name;     // in links and exports: "weights"
    std::string_view title;    // on the stage strip: "weights"
    std::string_view symbol;   // "A"
    std::string_view letters;  // "(num_heads, T, T)"
    std::string_view formula;  // "softmax of each row of masked_scores"
    std::string_view meaning;  // one sentence for help and screen readers
    bool has_heads;            // one matrix a head, else one for all
    Axis columns;              // what a column stands for; rows are always tokens (queries)
    bool is_signed;            // drawn with the diverging map
    std::span<const TensorId> sources;
};

// All stages in the order they are computed (embeddings first, output last).
std::span<const StageInfo> stage_table();

// The row of `id` in the stage table; `id` must be a stage.
const StageInfo& stage_info(TensorId id);

// The stage of that name, or nothing.
std::optional<TensorId> stage_of_name(std::string_view name);

// The name of any tensor: a stage's name, or "w_query", "mask", ...
std::string_view tensor_name(TensorId id);

}  // namespace attn
