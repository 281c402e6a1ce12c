// The loss of a goal that asks for a pattern of weights.
#pragma once

#include "core/attention/attention.h"

namespace attn {

// The mean over the rows with targets of -share * ln(weight); infinite where a target's weight is 0.
double loss_of_targets(const AttentionTrace& trace, const Goal& goal);

}  // namespace attn
