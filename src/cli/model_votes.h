// attn votes, attn lens, attn journey, attn patch and attn export svg of a model: its picture, its logit lens, a
// token's way through it and the effects of patches as tables, and as a drawing.
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

// The same of the journey of the token options.row, else the last; the layer of the link is open, else the first.
std::string write_journey(const ModelFolder& folder, const ModelOptions& options, ModelInput input,
                          std::string& written);

// The same of the effects of patches from `other` on the choice after options.row, else the last row: of all positions.
std::string write_patch_effects(const ModelFolder& folder, const ModelOptions& options, ModelInput input,
                                ModelInput other, std::string& written);

}  // namespace attn
