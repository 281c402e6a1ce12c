// A state as a short PyTorch script with the modules of the lectures' notebook, printing every stage.
#pragma once

#include <string>
#include <vector>

#include "core/ground/result.h"
#include "playground/state/state.h"
#include "share/scripts/python_text.h"
#include "share/scripts/script_parts.h"

namespace attn {

// torch.manual_seed, nn.Linear, nn.Embedding, torch.rand and torch.randn draw the numbers; pasted are only those that
// somebody typed. Hashed embeddings, which are the playground's own, are computed. Only the lines that this legal state
// needs. With a goal it trains for `steps_taken` steps and prints losses and gradients; fewer steps than the state asks
// for are those that could be taken. The error is a sentence: no tokens, or a script beyond kMaxScriptBytes.
Result<std::string> script_pytorch(const PlaygroundState& state, int steps_taken);

// The same lines cut into the cells of a notebook: each stage of sentence `checks.sentence` by itself, with its numbers
// shown; with a goal then what trains all sentences. `checks` are cells behind the stages and behind the training.
// `sentences` are those of the state.
PythonText cells_pytorch(const PlaygroundState& state, int steps_taken, const std::vector<ScriptSentence>& sentences,
                         const NotebookChecks& checks);

// The lines of the stages alone, each behind a place with their names: of sentence `s` where there are several. Without
// what comes before the token vectors.
PythonText stages_pytorch(const Inputs& inputs, const std::vector<ScriptSentence>& sentences);

// The line that gives a stage of gradients behind loss.backward(), with its name: "grad_keys = gradient(…)".
std::string gradient_line(const Inputs& inputs, TensorId stage);

}  // namespace attn
