// Which setting of the link leaves a tensor out.
#include <algorithm>
#include <array>
#include <string_view>

#include "core/ground/check.h"
#include "playground/state/shapes.h"

namespace attn {
namespace {

struct PartSetting {
    bool LayerParts::* part;
    std::string_view without;
    bool Inputs::* flag = nullptr;  // that switches it on, where one does
};

constexpr std::array kPartSettings = std::to_array<PartSetting>({
    {&LayerParts::has_matrices, "init is none: query = key = value = X"},
    {&LayerParts::has_bias, "bias is off", &Inputs::bias},
    {&LayerParts::has_out, "out, the output projection, is off", &Inputs::out},
    {&LayerParts::has_dropout, "dropout is 0"},
    {&LayerParts::has_query_latent, "latent_queries is 0"},
    {&LayerParts::has_latent, "latent is 0"},
    {&LayerParts::has_own_rotary, "rope_dim is 0"},
    {&LayerParts::is_rotary, "pos is not rope"},
    {&LayerParts::is_alibi, "pos is not alibi"},
    {&LayerParts::has_cap, "score_cap is 0"},
    {&LayerParts::has_logit_cap, "logit_cap is 0"},
    {&LayerParts::has_qk_norm, "qk_norm is off", &Inputs::qk_norm},
    {&LayerParts::has_sink, "sink_logits is off", &Inputs::sink_logits},
#ifndef ATTN_NO_MODELS  // the engine modules have no tensors of these
    {&LayerParts::has_block, "it belongs to the layers of a model"},
    {&LayerParts::has_attention_added, "it is output where no head is off"},
    {&LayerParts::has_attention_out, "it is output, or no norm comes after it"},
    {&LayerParts::has_mlp_out, "no norm comes after it"},
    {&LayerParts::has_mlp, "there is no MLP"},
    {&LayerParts::has_mlp_gate, "there is no MLP with a gate"},
    {&LayerParts::has_final_stream, "it belongs to a model behind its last layer"},
    {&LayerParts::has_logit_input, "it belongs to a model behind its last layer"},
#endif
});

// Of a tensor that is no gradient.
std::string_view setting_that_leaves_out(const LayerParts& parts, TensorId tensor) {
    bool LayerParts::* const part = part_with(tensor);
    if (part == nullptr) {
        if (tensor == TensorId::masked_scores) return "the mask comes after the softmax (mask_at)";
        return tensor == TensorId::unmasked_weights ? "the mask comes before the softmax (mask_at)"
                                                    : "goal is not next";
    }
    if (is_block_stage(tensor) && !parts.has_block) return "it belongs to the layers of a model";
    if (parts.*part) return "pos is rope, which is between queries and w_key";  // the absorbed queries
    return std::ranges::find(kPartSettings, part, &PartSetting::part)->without;
}

}  // namespace

std::string why_absent(const Inputs& inputs, TensorId tensor) {
    const LayerParts parts = layer_parts(inputs);
    if (is_learned(tensor) ? has_learned(tensor, parts) : !is_stage(tensor) || is_present(inputs, tensor)) return "";
    if (!is_gradient(tensor) && needs_goal(tensor) && inputs.goal != GoalKind::next) return "goal is not next";
    if (!is_gradient(tensor)) return std::string(setting_that_leaves_out(parts, tensor));
    if (inputs.goal == GoalKind::none) return "goal is none";
    const TensorId of = tensor_of_gradient(tensor);
    if (inputs.goal == GoalKind::pattern && is_behind_weights(of))
        return concat("goal is pattern, and no weight depends on ", tensor_name(of));
    return std::string(setting_that_leaves_out(parts, of));
}

bool Inputs::* flag_with(TensorId tensor) {
    const auto row = std::ranges::find(kPartSettings, part_with(tensor), &PartSetting::part);
    return row == kPartSettings.end() ? nullptr : row->flag;
}

}  // namespace attn
