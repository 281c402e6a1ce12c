// The model of a state and its text as the model reads it: what views of many layers compute from, with
// model/layers/model_run.h (streams, logits), model/roles (votes, scores of heads).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "playground/models/loaded_model.h"
#include "playground/numbers/evaluation.h"

namespace attn {

struct ModelText {
    std::shared_ptr<const Model> model;  // each keeps the model in memory
    std::shared_ptr<const ModelTokenizer> tokenizer;
    std::string name;
    ModelInput input;                // with the heads that are off
    std::shared_ptr<ModelRun> run;   // of the input: everybody who looks at it goes on with the same one
    std::vector<std::string> words;  // of each token, as people see it
};

// Of a sentence of the batch; nothing without a model, while it is not open, and for a sentence without tokens.
std::optional<ModelText> model_text(const Inputs& inputs, int sentence);
// Of what the evaluator shows.
std::optional<ModelText> model_text(const Evaluator& evaluator);

// "2 of 28 layers are computed"; once all are, "40,192 of 128,256 logits are computed".
std::string progress_in_words(const ModelProgress& progress);

}  // namespace attn
