// The formulas of a pattern's gradients: core/explain shows the terms, these say them in one line. And those of what
// latents stand in for X in.
#include "core/attention/stage_words.h"

namespace attn {
namespace {

// The formula where queries, or keys and values, are made of latents; empty where it stays.
std::string_view formula_with_latents(TensorId stage, const LayerParts& parts) {
    if (parts.has_query_latent) {
        if (stage == TensorId::queries) return "query latents · w_query + b_query, cut into heads";
        if (stage == TensorId::grad_w_query) return "query_latentsᵀ · grad_queries";
    }
    if (parts.has_latent) {
        if (stage == TensorId::keys) return "latents · w_key + b_key, cut into heads";
        if (stage == TensorId::values) return "latents · w_value + b_value, cut into heads";
        if (stage == TensorId::grad_w_key) return "latentsᵀ · grad_keys";
        if (stage == TensorId::grad_w_value) return "latentsᵀ · grad_values";
    }
    if (stage != TensorId::grad_embeddings) return {};
    if (parts.has_query_latent && parts.has_latent)
        return "grad_query_latents · w_down_queryᵀ + grad_latents · w_down_kvᵀ";
    if (parts.has_latent) return "grad_queries · w_queryᵀ + grad_latents · w_down_kvᵀ";
    if (parts.has_query_latent)
        return "grad_query_latents · w_down_queryᵀ + grad_keys · w_keyᵀ + grad_values · w_valueᵀ";
    return {};
}

}  // namespace

StageInfo stage_info(TensorId stage, const LayerParts& parts, GoalKind goal) {
    StageInfo info = stage_info(stage, parts.mask_at);
    if (kHasLatents && !formula_with_latents(stage, parts).empty()) info.formula = formula_with_latents(stage, parts);
    if (kHasLatents && stage == TensorId::grad_embeddings && (parts.has_latent || parts.has_query_latent))
        info.meaning = "How the loss changes with each number of the embeddings: the ways back meet here.";
    if (goal != GoalKind::pattern) return info;
    const bool is_at_softmax =
        stage == (parts.mask_at == MaskAt::before ? TensorId::grad_masked_scores : TensorId::grad_scaled_scores);
    if (stage == TensorId::grad_weights) {
        info.formula = "-target / (weights · rows with targets)";
    } else if (is_at_softmax) {
        info.formula = parts.mask_at == MaskAt::after_raw ? "(softmax - target) / rows with targets"
                                                          : "(weights - target) / rows with targets";
    }
    return info;
}

}  // namespace attn
