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

bool is_masked_stage(TensorId stage) {
    return stage == TensorId::masked_scores || stage == TensorId::weights || stage == TensorId::dropped_weights;
}

}  // namespace attn
