// Holds every tensor of an attention problem to the shape its comment gives. For attention's own files.
#pragma once

#include "core/attention/attention.h"

namespace attn {

// Stops the program with the shape that is wrong and the one that is wanted. Also: each query sees a key, the heads
// divide the channels, the divisor is a number above 0.
void check_shapes(const AttentionProblem& problem);

}  // namespace attn
