// What a stage's row of the table says where the settings change it.
#pragma once

#include "core/attention/goal.h"
#include "core/attention/masking.h"

namespace attn {

// stage_info for this place of the mask, with the formula that gradients have for this goal: what a pattern takes back
// through the softmax is the weights minus the targets, whatever stands before it.
StageInfo stage_info(TensorId stage, MaskAt mask_at, GoalKind goal);

}  // namespace attn
