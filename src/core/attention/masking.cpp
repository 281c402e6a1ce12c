// The few rules that depend on where the mask is applied.
#include "core/attention/masking.h"

namespace attn {

bool exists_with(MaskAt mask_at, TensorId stage) {
    if (stage == TensorId::masked_scores) return mask_at == MaskAt::before;
    if (stage == TensorId::unmasked_weights) return mask_at != MaskAt::before;
    return true;
}

TensorId softmax_stage(MaskAt mask_at) {
    return mask_at == MaskAt::before ? TensorId::weights : TensorId::unmasked_weights;
}

TensorId softmax_source(MaskAt mask_at) {
    return mask_at == MaskAt::before ? TensorId::masked_scores : TensorId::scaled_scores;
}

bool is_masked_stage(TensorId stage) {
    return stage == TensorId::masked_scores || stage == TensorId::weights || stage == TensorId::dropped_weights;
}

StageInfo stage_info(TensorId stage, MaskAt mask_at) {
    StageInfo info = stage_info(stage);
    if (stage != TensorId::weights || mask_at == MaskAt::before) return info;
    if (mask_at == MaskAt::after) {
        info.formula = "softmax with hidden keys at 0, each row divided by its sum";
        info.meaning =
            "How much each token (row) attends to each token (column): what the mask left of the row, "
            "made to sum to 1 again.";
    } else {
        info.formula = "softmax with hidden keys at 0";
        info.meaning =
            "What the mask left of each row. Rows with hidden keys no longer sum to 1: as weights these "
            "are wrong.";
    }
    return info;
}

}  // namespace attn
