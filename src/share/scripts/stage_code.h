// The lines of PyTorch behind each stage, to be read beside its numbers: those of the script (script_pytorch.h,
// script_model.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/attention/stages.h"
#include "core/ground/result.h"
#include "playground/state/state.h"

namespace attn {

// Variables that the lines read are those that earlier lines made, and what the script draws before its first stage:
// tokens, sizes, and the learned matrices, "W_query".
struct StageCode {
    std::vector<TensorId> stages;  // that these lines make, at least one; the inputs have each of them
    std::string code;              // lines without indentation and without the last line break
};

// For example
//
//   {{masked_scores}, "hidden = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)\n"
//                     "masked_scores = scaled_scores.masked_fill(hidden, -torch.inf)"}
//
// The stages of the state's sentence, or of the shown layer of its model, in the order of their lines. A stage of
// gradients is one that loss.backward() leaves, the lines before it are those of the forward pass. The error is that of
// the script: a sentence without tokens.
Result<std::vector<StageCode>> code_of_stages(const PlaygroundState& state);

// Of a list of names as PythonText::cell() takes it, "queries keys values", the stages that the inputs have, in its
// order. Names of no stage, such as "training", are left out.
std::vector<TensorId> stages_of_names(std::string_view names, const Inputs& inputs);

// The lines of one stage, with a comment of its name, its formula and its shape before them: a file. The error is
// also that the script has no lines for it.
Result<std::string> code_of_stage(const PlaygroundState& state, TensorId stage);

}  // namespace attn
