// Which setting of the link leaves a tensor out.
#include "core/ground/check.h"
#include "playground/state/shapes.h"

namespace attn {
namespace {

// Of a tensor that is no gradient.
std::string_view setting_that_leaves_out(const Inputs& inputs, TensorId tensor) {
    switch (tensor) {
        case TensorId::biased_scores:
            return "pos is not alibi";
        case TensorId::masked_scores:
            return "mask_at is not before";
        case TensorId::unmasked_weights:
            return "mask_at is before";
        case TensorId::dropped_weights:
            return "dropout is 0";
        case TensorId::logits:
        case TensorId::probabilities:
            return "goal is not next";
        case TensorId::output:
        case TensorId::w_out:
        case TensorId::b_out:
            return "out, the output projection, is off";
        case TensorId::sink_weights:
        case TensorId::sink_logits:
            return "sink_logits is off";
        case TensorId::absorbed_queries:
            if (inputs.latent != 0) return "pos is rope, which is between queries and w_key";
            break;
        default:
            break;
    }
    const Dims dims = dims_of(tensor);
    if (dims.columns == Dim::query_latent) return "latent_queries is 0";
    if (dims.columns == Dim::latent) return "latent is 0";
    if (has_rope_columns(tensor)) return "rope_dim is 0";
    if (is_turned_stage(tensor)) return "pos is not rope";
    return is_bias(tensor) ? "bias is off" : "init is none: query = key = value = X";
}

}  // namespace

std::string why_absent(const Inputs& inputs, TensorId tensor) {
    const LayerParts parts = layer_parts(inputs);
    if (is_learned(tensor) ? has_learned(tensor, parts) : !is_stage(tensor) || is_present(inputs, tensor)) return "";
    if (!is_gradient(tensor)) return std::string(setting_that_leaves_out(inputs, tensor));
    if (inputs.goal == GoalKind::none) return "goal is none";
    const TensorId of = tensor_of_gradient(tensor);
    if (inputs.goal == GoalKind::pattern && is_behind_weights(of))
        return concat("goal is pattern, and no weight depends on ", tensor_name(of));
    return std::string(setting_that_leaves_out(inputs, of));
}

}  // namespace attn
