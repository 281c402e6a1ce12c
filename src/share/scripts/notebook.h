// A state as a Jupyter notebook: the PyTorch script cut into cells, with the formula of each stage and the numbers of
// the page to compare with.
#pragma once

#include <string>

#include "core/ground/result.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

// nbformat 4.5 without outputs, the same bytes for the same link everywhere: what the state is and its link, tokens,
// learned numbers, a cell a stage, a comparison with some of the page's numbers, and with a goal what trains for
// `steps_taken` steps, with a comparison behind it. Of an open model: its layers on the files of a folder that the
// reader names. `shown` are the state's numbers, of a model with what stands around the attention. Blank numbers and
// what would give one away are neither printed nor compared. The error is a sentence: no tokens, or cells beyond
// kMaxScriptBytes.
Result<std::string> write_notebook(const PlaygroundState& state, const Evaluation& shown, int steps_taken);

}  // namespace attn
