// The formulas that settings change: core/explain shows the terms, these say them in one line.
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

#ifndef ATTN_FORWARD_ONLY  // the engine module that computes forward alone has neither
void name_turned_roles(StageInfo& info) {
    switch (info.id) {
        case TensorId::scores:
            info.formula = "dot product of a rotated query and a rotated key";
            break;
        case TensorId::grad_queries:
            info.formula = "grad_rotated_queries, each pair turned back";
            break;
        case TensorId::grad_keys:
            info.formula = "grad_rotated_keys, each pair turned back";
            // Turned by another angle in each row, the numbers of a column no longer cancel.
            info.meaning = "How the loss changes with each number of the keys.";
            break;
        case TensorId::grad_b_key:
            info.meaning =
                "How the loss changes with each number of b_key: turned by another angle at each key, it is no longer "
                "the same for a whole row.";
            break;
        default:
            break;
    }
}

void name_biased_scores(StageInfo& info, MaskAt mask_at) {
    switch (info.id) {
        case TensorId::masked_scores:
            info.formula = "biased scores, -inf where the key is hidden";
            info.meaning = "The biased scores without the keys a token may not look at, such as later tokens.";
            break;
        case TensorId::unmasked_weights:
            info.formula = "softmax of each whole row of biased scores";
            break;
        case TensorId::grad_biased_scores:
            if (mask_at != MaskAt::before) info.formula = "back through the softmax";
            break;
        case TensorId::grad_scaled_scores:
            info.formula = "grad_biased_scores: the bias is the same whatever is learned";
            break;
        default:
            break;
    }
}
#endif

}  // namespace

StageInfo stage_info(TensorId stage, const LayerParts& parts, GoalKind goal) {
    StageInfo info = stage_info(stage, parts.mask_at);
    if (kHasLatents && !formula_with_latents(stage, parts).empty()) info.formula = formula_with_latents(stage, parts);
    if (kHasLatents && stage == TensorId::grad_embeddings && (parts.has_latent || parts.has_query_latent))
        info.meaning = "How the loss changes with each number of the embeddings: the ways back meet here.";
#ifndef ATTN_FORWARD_ONLY
    if (parts.is_rotary) name_turned_roles(info);
    if (parts.is_alibi) name_biased_scores(info, parts.mask_at);
#endif
    if (goal != GoalKind::pattern) return info;
    const TensorId at_mask = parts.is_alibi ? TensorId::grad_biased_scores : TensorId::grad_scaled_scores;
    const bool is_at_softmax = stage == (parts.mask_at == MaskAt::before ? TensorId::grad_masked_scores : at_mask);
    if (stage == TensorId::grad_weights) {
        info.formula = "-target / (weights · rows with targets)";
    } else if (is_at_softmax) {
        info.formula = parts.mask_at == MaskAt::after_raw ? "(softmax - target) / rows with targets"
                                                          : "(weights - target) / rows with targets";
    }
    return info;
}

}  // namespace attn
