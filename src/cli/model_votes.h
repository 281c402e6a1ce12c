// attn votes, attn lens and attn export svg of a model: its picture and its logit lens as tables, and as a drawing.
#pragma once

#include <string>

#include "cli/model_folder.h"
#include "cli/model_options.h"

namespace attn {

// Writes into `written`; or returns a sentence where the link looks at a head or a word that is not there. `input` is
// one that the model takes.
std::string write_votes(const ModelFolder& folder, const ModelOptions& options, ModelInput input, std::string& written);
std::string draw_votes(const ModelFolder& folder, const ModelOptions& options, ModelInput input, std::string& written);

// The same of the logit lens of all positions; the one that is looked at is options.row, else the last.
std::string write_lens(const ModelFolder& folder, const ModelOptions& options, ModelInput input, std::string& written);

}  // namespace attn
