// The PyTorch script before and behind attention(): script_pytorch_inputs.cpp has what comes before the first stage,
// script_pytorch_training.cpp the loss, its gradients by autograd, and the steps of training.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/state/state.h"
#include "share/scripts/script_parts.h"

namespace attn {

// --- before the first stage

// What opens the list of an edit's numbers; ")" closes it.
inline constexpr std::string_view kTorchList = "torch.tensor(";

// `tokens`, or `sentences` where there are several; sizes; functions, tables and lists that x is made of; the learned
// matrices and biases with their edits, drawn by the modules of the lectures; weights of norms and sinks.
void write_pytorch_inputs(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences);

// The first two parts of that: tokens and sizes, and what the rows of x are made of.
void write_pytorch_vectors(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences);
// The lines before it: imports, how numbers are printed, and what leaves blanks out.
void write_pytorch_imports(PythonText& python, const PlaygroundState& state);
// Behind it, for a sentence: T and x, with positions that are added and what was typed over.
void write_pytorch_x(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences);

// "nn.Parameter(torch.rand(d_in, d_out))": how a matrix is drawn that is no nn.Linear, and its bias.
std::string python_parameter(Init init, std::string_view n_in, std::string_view n_out);
std::string python_bias_parameter(Init init, std::string_view n_out);

// What the script calls a learned tensor. nn.Linear keeps its weight as (n_out, n_in): transposed, as here, it has the
// rows and columns of the playground's.
std::string variable_of_learned(Init init, TensorId tensor);

// --- behind attention()

// Leaves `stages`, by sentence where there are several `all_stages`, and `gradients`, those at the matrices and biases,
// of the numbers after `steps_taken` steps.
void write_pytorch_training(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences,
                            int steps_taken);

// `stages` without autograd's memory of how they came about, and the gradients at them added.
void write_pytorch_stage_gradients(PythonText& python, const Inputs& inputs);

}  // namespace attn
