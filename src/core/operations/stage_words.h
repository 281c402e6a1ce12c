// What a stage's numbers are, in words: the other half of the stage table, which most pictures do not read.
#pragma once

#include <string_view>

#include "core/attention/attention.h"

namespace attn {

// Valid as long as the program runs.
struct StageWords {
    std::string_view formula;  // "softmax of each row of masked_scores"
    std::string_view meaning;  // one sentence for help and screen readers
};

// The words of `stage` in this layer and for this goal. Where a gradient is a sum of products, its formula is that of
// the rows that add to it (layer_rows.h).
StageWords stage_words(TensorId stage, const LayerParts& parts, GoalKind goal);

// The same in the plainest layer that has the stage, with goal `next`.
StageWords stage_words(TensorId stage);

// Whether each column of a gradient sums to 0: at the keys as the scores read them, since softmax ignores what is added
// to every key. A sink that takes weight from its row, or a cap that lets less of some gradients through, ends that.
bool column_sums_to_zero(TensorId stage, const LayerParts& parts);

// The words of stages that most layers lack, and what variants change, are in a file of their own
// (stage_words_rare.cpp): a first visit of the page need not load them (tools/split.mjs), so no other function may take
// them in.
struct StageWordsRow {
    TensorId stage;
    std::string_view formula, meaning;
};
[[gnu::noinline]] StageWords words_of_rare_stage(TensorId stage);
[[gnu::noinline]] void change_words(TensorId stage, const LayerParts& parts, GoalKind goal, StageWords& words);

}  // namespace attn
