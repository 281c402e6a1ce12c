// What the PyTorch script says of a recipe: where heads should look, the words that may come next, the optimizer.
#pragma once

#include <string>
#include <vector>

#include "playground/state/state.h"
#include "share/scripts/script_parts.h"

namespace attn {

// `word_vectors` (V, d_in): the vector of each word of the vocabulary, without its position.
void write_word_vectors(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences);

// `targets`, by sentence where there are several.
void write_targets(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences);

// "Adam(learned, lr=0.05)"
std::string optimizer_call(const Inputs& inputs);

}  // namespace attn
