// Sentences about numbers that come from people.
#include "model/layers/model_input.h"

#include <algorithm>
#include <utility>

#include "core/ground/check.h"
#include "core/words/tokens.h"
#include "model/layers/edited_layer.h"

namespace attn {

bool ModelInput::is_off(int layer, int head) const {
    return std::find(off.begin(), off.end(), HeadOff{layer, head}) != off.end();
}

bool replaces_heads(std::span<const HeadOff> off, std::span<const Patch> patches, int layer) {
    const auto is_here = [&](const Patch& patch) { return patch.layer == layer && is_of_head(patch.of); };
    return std::ranges::find(off, layer, &HeadOff::layer) != off.end() || std::ranges::any_of(patches, is_here);
}

void take_over(ModelInput& input, ModelInput other, std::span<const Patch> patches) {
    const int num_tokens = std::min(input.num_tokens(), other.num_tokens());
    for (const Patch& patch : patches) {
        const bool is_every = patch.row == kEveryToken;
        for (int row = is_every ? 0 : patch.row; row < (is_every ? num_tokens : patch.row + 1); ++row)
            input.patches.push_back({.of = patch.of, .layer = patch.layer, .head = patch.head, .row = row});
    }
    std::ranges::sort(input.patches);
    input.patches.erase(std::ranges::unique(input.patches).begin(), input.patches.end());
    input.other = {std::move(other)};
}

std::vector<int> position_rows_of(const ModelConfig& config, const ModelInput& input) {
    std::vector<int> rows;
    int next = config.first_position;
    for (const int id : input.ids) rows.push_back(id == config.padding_token ? config.first_position - 1 : next++);
    return rows;
}

namespace {

std::string find_patch_problem(const ModelConfig& config, const ModelInput& input) {
    if (input.patches.empty() && input.other.empty()) return "";
    if (input.other.size() != 1 || !input.other.front().patches.empty())
        return "Patches come from one other text, which has none itself.";
    const ModelInput& other = input.other.front();
    if (const std::string problem = find_input_problem(config, other); !problem.empty()) return problem;
    for (const Patch& patch : input.patches) {
        if (patch.layer < 0 || patch.layer >= config.num_layers || patch.head < 0 || patch.head >= config.num_heads)
            return concat("There is no head ", patch.head + 1, " in layer ", patch.layer + 1,
                          " to patch: the model has ", config.num_layers, " layers of ", config.num_heads, " heads.");
        const int T = std::min(input.num_tokens(), other.num_tokens());
        if (patch.row < 0 || patch.row >= T)
            return concat("There is no token ", patch.row + 1, " to patch: of the two texts one has ", T, " tokens.");
        if (patch.of == PatchOf::mlp && config.mlp_width == 0) return "The layers of this model have no MLP to patch.";
        if (patch.of == PatchOf::weights && config.mask != Mask::causal && input.num_tokens() != other.num_tokens())
            return concat("Weights over ", other.num_tokens(), " keys cannot be taken over by a text of ",
                          input.num_tokens(), " tokens: in this model each token sees all others.");
    }
    return "";
}

}  // namespace

std::string find_input_problem(const ModelConfig& config, const ModelInput& input) {
    const int T = input.num_tokens();
    if (T == 0) return "The sentence has no tokens.";
    if (T > config.max_positions)
        return concat("The sentence has ", T, " tokens, and the model has ", config.max_positions, " positions.");
    if (input.ids.size() > kMaxTokens)
        return concat("The sentence has ", T, " tokens; this program computes at most ", kMaxTokens, ".");
    for (const int id : input.ids) {
        if (id < 0 || id >= config.vocabulary) {
            return concat("There is no token ", id, ": the model has the tokens 0 to ", config.vocabulary - 1, ".");
        }
    }
    if (!input.types.empty() && config.num_token_types == 0) return "This model has no token types.";
    if (!input.types.empty() && input.types.size() != input.ids.size())
        return concat("There are ", input.types.size(), " token types for ", T, " tokens.");
    for (const int type : input.types) {
        if (type < 0 || type >= config.num_token_types)
            return concat("There is no token type ", type, ": the model has 0 to ", config.num_token_types - 1, ".");
    }
    for (const HeadOff& off : input.off) {
        if (off.layer < 0 || off.layer >= config.num_layers || off.head < 0 || off.head >= config.num_heads) {
            return concat("There is no head ", off.head + 1, " in layer ", off.layer + 1,
                          " to switch off: the model has ", config.num_layers, " layers of ", config.num_heads,
                          " heads.");
        }
    }
    for (const LayerEdit& edit : input.edits) {
        if (edit.layer < 0 || edit.layer >= config.num_layers)
            return concat("There is no layer ", edit.layer + 1, " to change a number of: the model has ",
                          config.num_layers, ".");
        const Extent shape = edit_extent(config, T, edit.tensor);
        if (edit.row < 0 || edit.row >= shape.rows || edit.column < 0 || edit.column >= shape.columns)
            return concat("There is no number at row ", edit.row, ", column ", edit.column, " of ",
                          tensor_name(edit.tensor), ": in this model it has ", shape.rows, " rows of ", shape.columns,
                          " numbers.");
    }
    return find_patch_problem(config, input);
}

}  // namespace attn
