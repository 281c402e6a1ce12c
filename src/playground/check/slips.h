// The slips people make with each step of attention, and the number each slip leads to, found by making the slip.
// Knows no answers and no screen.
#pragma once

#include <vector>

#include "playground/check/slip.h"
#include "playground/numbers/evaluation.h"

namespace attn {

// Every slip that can be made at this cell of `stage`, with its number, whether or not it differs from the right one.
std::vector<Slip> slips_at(const Evaluation& evaluation, TensorId stage, const Cell& cell);

// Those whose number is `typed` within `tolerance`, and so far from the right `number` that the two cannot be taken for
// each other; each number once.
std::vector<Slip> matching_slips(const Evaluation& evaluation, TensorId stage, const Cell& cell, double typed,
                                 double tolerance);

}  // namespace attn
