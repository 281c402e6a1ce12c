// The formulas of a model as a script of PyTorch has them (script_formulas.cpp), and how a script reads the tensors of
// a model's files: the reading itself, and each role of the model as an expression of Python, the matrices as they are
// used, (inputs, outputs).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/layers/model_input.h"
#include "model/layers/model_weights.h"
#include "share/scripts/python_text.h"

namespace attn {

// The function read_tensors(folder): all tensors by their names, as doubles.
std::string_view read_tensors_text();

// The function typed_over(n, name, numbers): layer n's tensor with what the list `typed` has for it.
std::string_view typed_over_text();

// "tensors["wte.weight"]".
std::string tensor_text(const ModelTensor& tensor);

// Rows of vectors, also where the file has an axis for a batch before them: "tensors["pos_emb"][0]".
std::string rows_text(const ModelTensor& tensor);

// "tensors["lm_head.weight"].T", and the bias that is there.
std::string matrix_text(const LinearWeights& linear);
std::string bias_text(const LinearWeights& linear);

// The same in a loop over the layers, whose number is n: "tensors[f"h.{n}.attn.c_attn.weight"][:, 0:768]".
using LinearOfLayer = LinearWeights LayerWeights::*;
std::string matrix_text(const ModelWeights& weights, LinearOfLayer of);
std::string bias_text(const ModelWeights& weights, LinearOfLayer of);

// What a norm takes behind its input: ", tensors[...], tensors[...]"; as much of it as there is.
using NormOfLayer = NormWeights LayerWeights::*;
std::string norm_text(const NormWeights& norm);
std::string norm_text(const ModelWeights& weights, NormOfLayer of);

// "[1, 2, 3]", over several lines where it is long.
std::string list_of(const std::vector<int>& numbers);
// "if n in [0, 1]:": the layers that turn queries and keys; empty where all do.
std::string turning_layers_text(const ModelConfig& config);

// "F.gelu(x)", "30.0 * torch.tanh((x) / 30.0)".
std::string activated_text(Activation activation, std::string_view x);
std::string capped_text(std::string_view x, float cap);

// The function norm(x, weight, bias); nothing where the model has no norms.
void write_norm(PythonText& python, const ModelConfig& config);

// What ALiBi takes from the scores: `slopes` of the heads times `apart`.
void write_slopes(PythonText& python, const ModelConfig& config);

// The function turned(heads), or turned(heads, n) where layers turn differently, for a text of so many tokens; nothing
// without rotary positions.
void write_turned(PythonText& python, const ModelConfig& config, int num_tokens);

// The same with transformers, the end of the script (script_transformers.cpp): lines that run only when they are asked
// for, and print how far weights and logits are from the script's; or a comment that says why transformers does not
// compute the same from the same files. Wants `ids`, `folder`, `shown`, `stages` and `logits`.
void write_with_transformers(PythonText& python, const ModelConfig& config, const ModelWeights& weights,
                             const ModelInput& input);

}  // namespace attn
