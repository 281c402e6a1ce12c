// What a stage's numbers are, in words: the other half of the stage table, which most pictures do not read.
#pragma once

#include "core/attention/attention.h"
#include "core/attention/goal.h"
#include "core/attention/stages.h"

namespace attn {

// The words of `stage`, which must be a stage, in a layer without variants.
StageWords stage_words(TensorId stage);

// The same in this layer and for this goal: what the weights are depends on the place of the mask, what is made of
// latents says so, steps beside those that put positions into the scores are named after these, and what a pattern
// takes back through the softmax is the weights minus the targets, whatever stands before it.
StageWords stage_words(TensorId stage, const LayerParts& parts, GoalKind goal);

}  // namespace attn
