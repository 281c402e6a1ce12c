// The formulas of a pattern's gradients: core/explain shows the terms, these say them in one line.
#include "core/attention/stage_words.h"

namespace attn {

StageInfo stage_info(TensorId stage, MaskAt mask_at, GoalKind goal) {
    StageInfo info = stage_info(stage, mask_at);
    if (goal != GoalKind::pattern) return info;
    const bool is_at_softmax =
        stage == (mask_at == MaskAt::before ? TensorId::grad_masked_scores : TensorId::grad_scaled_scores);
    if (stage == TensorId::grad_weights) {
        info.formula = "-target / (weights · rows with targets)";
    } else if (is_at_softmax) {
        info.formula = mask_at == MaskAt::after_raw ? "(softmax - target) / rows with targets"
                                                    : "(weights - target) / rows with targets";
    }
    return info;
}

}  // namespace attn
