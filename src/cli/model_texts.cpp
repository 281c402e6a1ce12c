// Tokenizes, or takes tokens by number, and asks the model whether it can compute them.
#include "cli/model_folder.h"

#include <utility>

#include "cli/model_options.h"
#include "core/ground/check.h"
#include "playground/models/loaded_model.h"
#include "playground/text/format.h"

namespace attn {

ModelInput read_own_input(const ModelFolder& folder, const ModelOptions& options, std::vector<ModelToken>& tokens,
                          std::string& problem) {
    ModelInput input{.ids = {}, .types = {}, .off = options.off, .off_by = options.off_by};
    if (options.ids) {
        input.ids = *options.ids;
        for (const int id : input.ids) tokens.push_back({.id = id, .begin = 0, .end = 0});
    } else if (!folder.tokenizer) {
        problem = folder.no_tokenizer;
    } else {
        const ModelTokens encoded = folder.tokenizer->encode(options.text);
        tokens = encoded.tokens;
        for (const ModelToken& token : tokens) {
            input.ids.push_back(token.id);
            if (token.id >= 0 || !problem.empty()) continue;
            problem = concat("The model's vocabulary does not have ",
                             quoted(options.text.substr(token.begin, token.end - token.begin)), ".");
        }
    }
    input.edits = layer_edits(options.edits, 0);
    if (problem.empty()) problem = find_input_problem(folder.model.config, input);
    const bool has_layer = !options.layer || *options.layer < folder.model.config.num_layers;
    if (problem.empty() && !has_layer) {
        problem =
            concat("There is no layer ", *options.layer + 1, ": the model has ", folder.model.config.num_layers, ".");
    }
    return input;
}

std::optional<ModelInput> read_other(const ModelFolder& folder, const ModelOptions& options, std::string& problem) {
    if (options.other.empty() && !options.other_ids) return std::nullopt;
    ModelOptions other = options.other.empty() ? ModelOptions() : options.other.front();
    if (options.other_ids) other.ids = options.other_ids;
    std::vector<ModelToken> tokens;
    std::string of_other;
    ModelInput input = read_own_input(folder, other, tokens, of_other);
    if (problem.empty() && !of_other.empty()) problem = concat("The second text: ", of_other);
    return input;
}

ModelInput read_input(const ModelFolder& folder, const ModelOptions& options, std::vector<ModelToken>& tokens,
                      std::string& problem) {
    ModelInput input = read_own_input(folder, options, tokens, problem);
    if (options.patches.empty()) return input;
    std::optional<ModelInput> other = read_other(folder, options, problem);
    if (!other && problem.empty())
        problem =
            "There is no second text that the patches could come from: give it as compare= in the link or with "
            "--other-tokens.";
    if (!problem.empty()) return input;
    take_over(input, std::move(*other), options.patches);
    problem = find_input_problem(folder.model.config, input);
    return input;
}

}  // namespace attn
