// attn nudge: what one number of a model's files is worth to a text.
#pragma once

#include <string>

#include "cli/model_folder.h"
#include "cli/model_options.h"

namespace attn {

// Writes into `written`; or returns a sentence where there is no such number, or the text has no loss. `input` is one
// that the model takes.
std::string write_nudge(const ModelFolder& folder, const ModelOptions& options, ModelInput input, std::string& written);

}  // namespace attn
