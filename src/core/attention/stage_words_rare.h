// The words of stages that most layers lack and of what variants change. Apart from the others, because a first visit
// of the page need not load them (tools/split.mjs): no function that others take in.
#pragma once

#include "core/attention/attention.h"
#include "core/attention/goal.h"
#include "core/attention/stage_info.h"

namespace attn {

struct StageWordsRow {
    TensorId stage;
    StageWords words;
};

// The words of a stage that is there only with a latent, with positions in the scores, or with a goal.
[[gnu::noinline]] StageWords words_of_rare_stage(TensorId stage);

// `words` of `stage` as these parts and this goal change them.
[[gnu::noinline]] StageWords words_with_parts(StageWords words, TensorId stage, const LayerParts& parts, GoalKind goal);

}  // namespace attn
