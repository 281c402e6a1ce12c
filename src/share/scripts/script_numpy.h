// A state as a short NumPy script that draws PyTorch's random numbers itself and prints every stage.
#pragma once

#include <string>

#include "core/ground/result.h"
#include "playground/state/state.h"

namespace attn {

// Only the lines that this legal state needs. Runs with Python 3.8 and NumPy 1.17 or later. The error is a sentence: no
// tokens, or a script beyond kMaxScriptBytes.
Result<std::string> script_numpy(const PlaygroundState& state);

}  // namespace attn
