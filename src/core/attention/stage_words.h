// What a stage's row of the table says where the settings change it.
#pragma once

#include "core/attention/attention.h"
#include "core/attention/goal.h"
#include "core/attention/masking.h"

namespace attn {

// stage_info for this place of the mask, with the formula that gradients have for this goal: what a pattern takes back
// through the softmax is the weights minus the targets, whatever stands before it. `positions`: the steps that put
// positions into the scores, which the steps beside them are named after.
StageInfo stage_info(TensorId stage, MaskAt mask_at, GoalKind goal, const PositionSteps& positions = {});

}  // namespace attn
