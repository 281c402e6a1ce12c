// What both scripts say of a recipe: where heads should look, the words that may come next, which gradients there are.
#pragma once

#include <string>
#include <vector>

#include "playground/state/state.h"
#include "share/scripts/script_parts.h"

namespace attn {

enum class Library { pytorch, numpy };

// Whether there is a loss: a goal, and something that it asks for.
bool has_loss(const Inputs& inputs);

// Whether the sentence has a part in the loss.
bool has_terms(const Inputs& inputs, const ScriptSentence& sentence);

// The matrices and biases that there are, in the order of kLearnedTensors.
std::vector<TensorId> present_learned(const Inputs& inputs);

// `word_vectors` (V, d_in): the vector of each word of the vocabulary, without its position.
void write_word_vectors(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences,
                        Library library);

// `targets`, by sentence where there are several.
void write_targets(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences);

// The stages with a gradient, in the order of the backward pass: logits or output first, embeddings last.
std::vector<TensorId> stages_with_gradient(const Inputs& inputs);

// "for step in range(6):" where there are steps, and what follows is inside of it. `steps_taken` fewer than the inputs
// ask for: training stopped there, and a comment says why.
void open_steps(PythonText& python, const Inputs& inputs, int steps_taken);

// In a step: prints its loss, `loss` in Python, and before the first step the gradients of all that can learn. `at_x`
// is the gradient at the embeddings `x` in Python, of sentence `s` where there are several.
void write_step_printing(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences,
                         std::string_view loss, std::string_view at_x);

// Prints `gradients`.
void write_gradients_printing(PythonText& python);
// The same at the end of the script, where one of them may be on the screen and a number of it pinned.
void write_last_gradients(PythonText& python, const PlaygroundState& state);

}  // namespace attn
