// What was trained becomes edits, so that it can be altered by hand.
#pragma once

#include <optional>

#include "playground/numbers/recipe.h"
#include "playground/state/state.h"

namespace attn {

// The same numbers, to the bit, without steps: each one that training changed is an edit. The goal stays, and training
// may go on from there. `run` is done for `inputs`. Nothing where there would be more than kMaxEdits.
std::optional<Inputs> keep_training(const Inputs& inputs, const TrainingRun& run);

}  // namespace attn
