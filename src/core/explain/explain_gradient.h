// The terms behind a number on the way back: explain() calls it for every stage that needs a goal.
#pragma once

#include "core/explain/explain_parts.h"
#include "core/explain/explanation.h"

namespace attn {

// Fills in the terms of explanation.cell, whose number is there.
void explain_gradient(const TraceCells& in, Explanation& explanation);

}  // namespace attn
