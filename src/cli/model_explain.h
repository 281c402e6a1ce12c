// attn explain of a model: the steps behind one number.
#pragma once

#include <string>

#include "cli/model_folder.h"
#include "cli/model_options.h"

namespace attn {

// Writes into `written`; or returns a sentence where the arguments name no number that is there. `input` is one that
// the model takes.
std::string write_explanation(const ModelFolder& folder, const ModelOptions& options, ModelInput input,
                              std::string& written);

}  // namespace attn
