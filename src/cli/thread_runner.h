// Work on several threads.
#pragma once

#include "model/learn/batch_parts.h"

namespace attn {

// As many workers, each on a thread of its own for the time of one call, and never more threads than pieces of work.
WorkRunner runner_on_threads(int num_threads);

}  // namespace attn
