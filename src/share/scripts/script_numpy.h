// A state as a short NumPy script that draws PyTorch's random numbers itself and prints every stage.
#pragma once

#include <string>

#include "core/ground/result.h"
#include "playground/state/state.h"

namespace attn {

// Only the lines that this legal state needs. Runs with Python 3.8 and NumPy 1.17 or later. With a goal the backward
// pass is written out, and the script trains for `steps_taken` steps, as script_pytorch does. The error is a sentence:
// no tokens, or a script beyond kMaxScriptBytes.
Result<std::string> script_numpy(const PlaygroundState& state, int steps_taken);

}  // namespace attn
