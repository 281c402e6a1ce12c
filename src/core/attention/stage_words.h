// What a stage's row of the table says where the settings change it.
#pragma once

#include "core/attention/attention.h"
#include "core/attention/goal.h"
#include "core/attention/masking.h"

namespace attn {

// stage_info for this place of the mask, with the formula that gradients have for this goal: what a pattern takes back
// through the softmax is the weights minus the targets, whatever stands before it. What is made of latents says so, and
// steps beside those that put positions into the scores are named after these.
StageInfo stage_info(TensorId stage, const LayerParts& parts, GoalKind goal);

}  // namespace attn
