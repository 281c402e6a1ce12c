// The contents of the stage table: the names of each stage, no numbers.
#include "core/attention/stages.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/ground/check.h"

namespace attn {
namespace {

constexpr std::array kAllStages = [] {
    using enum TensorId;
    return std::array{
        stage_row(before, "before", "stream", "R", true),
        stage_row(embeddings, "embeddings", "embeddings", "X", true),
#ifndef ATTN_NO_LATENTS
        stage_row(query_latents, "query_latents", "query latents", "CQ", true),
        stage_row(latents, "latents", "latents", "L", true),
#endif
        stage_row(queries, "queries", "queries", "Q", true),
        stage_row(keys, "keys", "keys", "K", true),
        stage_row(values, "values", "values", "V", true),
#ifndef ATTN_NO_LATENTS
        stage_row(absorbed_queries, "absorbed_queries", "absorbed queries", "QA", true),
        stage_row(position_queries, "position_queries", "position Q", "QR", true),
        stage_row(position_keys, "position_keys", "position K", "KR", true),
#endif
#ifndef ATTN_FORWARD_ONLY
        stage_row(normed_queries, "normed_queries", "normed Q", "Qn", true),
        stage_row(normed_keys, "normed_keys", "normed K", "Kn", true),
        stage_row(rotated_queries, "rotated_queries", "turned Q", "Q′", true),
        stage_row(rotated_keys, "rotated_keys", "turned K", "K′", true),
#endif
        stage_row(scores, "scores", "scores", "S", true),
        stage_row(scaled_scores, "scaled_scores", "scaled", "S/d", true),
#ifndef ATTN_FORWARD_ONLY
        stage_row(capped_scores, "capped_scores", "capped", "S^", true),
        stage_row(biased_scores, "biased_scores", "biased", "B", true),
#endif
        stage_row(masked_scores, "masked_scores", "masked", "M", true),
        stage_row(unmasked_weights, "unmasked_weights", "softmax", "P", false),
        stage_row(weights, "weights", "weights", "A", false),
#ifndef ATTN_FORWARD_ONLY
        stage_row(sink_weights, "sink_weights", "sink", "A₀", false),
#endif
        stage_row(dropped_weights, "dropped_weights", "dropped", "D", false),
#ifndef ATTN_NO_LATENTS
        stage_row(mixed_latents, "mixed_latents", "mixed latents", "CL", true),
#endif
        stage_row(context, "context", "context", "C", true),
        stage_row(merged, "merged", "merged", "H", true),
        stage_row(output, "output", "output", "Y", true),
        stage_row(attention_out, "attention_out", "projected", "Yo", true),
        stage_row(attention_added, "attention_added", "attention adds", "Ra", true),
        stage_row(middle, "middle", "middle stream", "Rm", true),
        stage_row(mlp_input, "mlp_input", "MLP input", "U", true),
        stage_row(mlp_gate, "mlp_gate", "MLP gate", "G", true),
        stage_row(mlp_sums, "mlp_sums", "MLP sums", "F", true),
        stage_row(mlp_hidden, "mlp_hidden", "activated", "F′", true),
        stage_row(mlp_out, "mlp_out", "MLP out", "Fo", true),
        stage_row(mlp_added, "mlp_added", "MLP adds", "Rf", true),
        stage_row(after, "after", "stream out", "R′", true),
        stage_row(final_stream, "final_stream", "final stream", "N", true),
        stage_row(logit_input, "logit_input", "logit input", "N′", true),
#ifndef ATTN_FORWARD_ONLY
        stage_row(logits, "logits", "logits", "Z", true),
        stage_row(capped_logits, "capped_logits", "capped logits", "Z^", true),
        stage_row(probabilities, "probabilities", "probabilities", "p", false),
        stage_row(grad_capped_logits, "grad_capped_logits", "∂capped logits", "∂Z^", true),
        stage_row(grad_logits, "grad_logits", "∂logits", "∂Z", true),
        stage_row(grad_output, "grad_output", "∂output", "∂Y", true),
        stage_row(grad_merged, "grad_merged", "∂merged", "∂H", true),
        stage_row(grad_context, "grad_context", "∂context", "∂C", true),
        stage_row(grad_dropped_weights, "grad_dropped_weights", "∂dropped", "∂D", true),
        stage_row(grad_weights, "grad_weights", "∂weights", "∂A", true),
        stage_row(grad_unmasked_weights, "grad_unmasked_weights", "∂softmax", "∂P", true),
        stage_row(grad_masked_scores, "grad_masked_scores", "∂masked", "∂M", true),
        stage_row(grad_biased_scores, "grad_biased_scores", "∂biased", "∂B", true),
        stage_row(grad_capped_scores, "grad_capped_scores", "∂capped", "∂S^", true),
        stage_row(grad_scaled_scores, "grad_scaled_scores", "∂scaled", "∂S/d", true),
        stage_row(grad_scores, "grad_scores", "∂scores", "∂S", true),
        stage_row(grad_rotated_queries, "grad_rotated_queries", "∂turned Q", "∂Q′", true),
        stage_row(grad_rotated_keys, "grad_rotated_keys", "∂turned K", "∂K′", true),
        stage_row(grad_normed_queries, "grad_normed_queries", "∂normed Q", "∂Qn", true),
        stage_row(grad_normed_keys, "grad_normed_keys", "∂normed K", "∂Kn", true),
        stage_row(grad_queries, "grad_queries", "∂Q", "∂Q", true),
        stage_row(grad_keys, "grad_keys", "∂K", "∂K", true),
        stage_row(grad_values, "grad_values", "∂V", "∂V", true),
        stage_row(grad_position_queries, "grad_position_queries", "∂QR", "∂QR", true),
        stage_row(grad_position_keys, "grad_position_keys", "∂KR", "∂KR", true),
        stage_row(grad_query_latents, "grad_query_latents", "∂CQ", "∂CQ", true),
        stage_row(grad_latents, "grad_latents", "∂L", "∂L", true),
        stage_row(grad_embeddings, "grad_embeddings", "∂X", "∂X", true),
        stage_row(grad_w_query, "grad_w_query", "∂W_q", "∂W_q", true),
        stage_row(grad_w_key, "grad_w_key", "∂W_k", "∂W_k", true),
        stage_row(grad_w_value, "grad_w_value", "∂W_v", "∂W_v", true),
        stage_row(grad_w_down_query, "grad_w_down_query", "∂W_dq", "∂W_dq", true),
        stage_row(grad_w_down_kv, "grad_w_down_kv", "∂W_dkv", "∂W_dkv", true),
        stage_row(grad_w_query_rope, "grad_w_query_rope", "∂W_qr", "∂W_qr", true),
        stage_row(grad_w_key_rope, "grad_w_key_rope", "∂W_kr", "∂W_kr", true),
        stage_row(grad_b_query, "grad_b_query", "∂b_q", "∂b_q", true),
        stage_row(grad_b_key, "grad_b_key", "∂b_k", "∂b_k", true),
        stage_row(grad_b_value, "grad_b_value", "∂b_v", "∂b_v", true),
        stage_row(grad_w_out, "grad_w_out", "∂W_o", "∂W_o", true),
        stage_row(grad_b_out, "grad_b_out", "∂b_o", "∂b_o", true),
        stage_row(grad_q_norm, "grad_q_norm", "∂q_norm", "∂g_q", true),
        stage_row(grad_k_norm, "grad_k_norm", "∂k_norm", "∂g_k", true),
        stage_row(grad_sink_logits, "grad_sink_logits", "∂sink", "∂s", true),
#endif
    };
}();

constexpr bool is_known(const StageInfo& info) {
    return kOpensModels || !is_block_stage(info.id);
}
constexpr auto kStages = [] {
    std::array<StageInfo, std::ranges::count_if(kAllStages, is_known)> stages{};
    std::ranges::copy_if(kAllStages, stages.begin(), is_known);
    return stages;
}();

// What is no stage, in the order of TensorId.
constexpr std::size_t kFirstOther = static_cast<std::size_t>(TensorId::w_query);
constexpr std::array<std::string_view, 20> kOtherNames = {
    "w_query",     "w_key", "w_value",       "w_down_query", "w_down_kv", "w_query_rope", "w_key_rope",
    "b_query",     "b_key", "b_value",       "w_out",        "b_out",     "q_norm",       "k_norm",
    "sink_logits", "mask",  "token_vectors", "positions",    "keep_mask", "vocabulary"};

}  // namespace

std::span<const StageInfo> stage_table() {
    return kStages;
}

const StageInfo& stage_info(TensorId id) {
    const auto row = std::find_if(kStages.begin(), kStages.end(), [&](const StageInfo& info) { return info.id == id; });
    ATTN_CHECK(row != kStages.end(), "tensor ", is_stage(id) ? "of the table" : tensor_name(id), " is not a stage");
    return *row;
}

std::optional<TensorId> stage_of_name(std::string_view name) {
    for (const StageInfo& info : kStages) {
        if (info.name == name) return info.id;
    }
    return std::nullopt;
}

std::string_view tensor_name(TensorId id) {
    if (is_stage(id)) return stage_info(id).name;
    const std::size_t at = static_cast<std::size_t>(id) - kFirstOther;
    ATTN_CHECK(at < kOtherNames.size(), "no tensor has the number ", static_cast<int>(id));
    return kOtherNames[at];
}

}  // namespace attn
