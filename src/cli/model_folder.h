// A folder with the files of a model, as people download them: config.json, safetensors files, a tokenizer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ground/result.h"
#include "model/layers/model_input.h"
#include "model/layers/model_load.h"
#include "model/words/model_tokenizer.h"
#include "playground/text/notes.h"

namespace attn {

struct ModelOptions;

struct ModelFolder {
    Model model;
    // Of the tokenizer's files; without any of them `no_tokenizer` says so, or what is wrong with them.
    std::optional<ModelTokenizer> tokenizer;
    std::string no_tokenizer;
    Notes notes = {};  // about how the config was read
};

// Reads config.json, every *.safetensors file (those that model.safetensors.index.json names, where it is there) and
// the tokenizer; or all of them of a GGUF file, which `path` may also be itself. Where there is no such folder, `path`
// may be the name of one of the program's own models. `heads` are those of a folder without config.json, 0 where they
// are not given. Fails with a sentence.
Result<ModelFolder> open_model_folder(const std::string& path, int heads = 0);

// The tokens of the text or those that are given by number, with the patches of the link; a sentence in `problem` where
// the model cannot take them.
ModelInput read_input(const ModelFolder& folder, const ModelOptions& options, std::vector<ModelToken>& tokens,
                      std::string& problem);
// The same without what is taken over from another text.
ModelInput read_own_input(const ModelFolder& folder, const ModelOptions& options, std::vector<ModelToken>& tokens,
                          std::string& problem);
// The second text: that of compare= in the link, or tokens by number. Nothing where neither is there.
std::optional<ModelInput> read_other(const ModelFolder& folder, const ModelOptions& options, std::string& problem);

}  // namespace attn
