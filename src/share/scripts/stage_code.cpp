// The scripts say where the lines of a stage begin; here they are cut out.
#include "share/scripts/stage_code.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "core/ground/check.h"
#include "core/operations/layer_rows.h"
#include "core/operations/stage_words.h"
#include "playground/link/link_text.h"
#include "playground/state/open_models.h"
#include "playground/state/shapes.h"
#include "share/scripts/script_model.h"
#include "share/scripts/script_parts.h"
#include "share/scripts/script_pytorch.h"

namespace attn {
namespace {

// Without empty lines around it, and without the depth that all its lines share.
std::string without_depth(std::string_view code) {
    while (code.starts_with('\n')) code.remove_prefix(1);
    while (code.ends_with('\n')) code.remove_suffix(1);
    const std::size_t depth = std::min(code.find_first_not_of(' '), code.size());
    std::string text;
    while (!code.empty()) {
        const std::size_t end = std::min(code.find('\n'), code.size());
        std::string_view line = code.substr(0, end);
        line.remove_prefix(std::min({depth, line.find_first_not_of(' '), line.size()}));
        text += concat(text.empty() ? "" : "\n", line);
        code.remove_prefix(std::min(end + 1, code.size()));
    }
    return text;
}

Result<PythonText> lines_of(const PlaygroundState& state) {
    if (open_model_of(state.inputs)) return lines_model(state);
    const Result<std::vector<ScriptSentence>> sentences = script_sentences(state.inputs);
    if (!sentences) return Result<PythonText>::failure(sentences.error());
    return stages_pytorch(state.inputs, *sentences);
}

}  // namespace

std::vector<TensorId> stages_of_names(std::string_view names, const Inputs& inputs) {
    std::vector<TensorId> stages;
    while (!names.empty()) {
        const std::optional<TensorId> stage = stage_of_name(take_until(names, ' '));
        if (stage && is_present(inputs, *stage)) stages.push_back(*stage);
    }
    return stages;
}

Result<std::vector<StageCode>> code_of_stages(const PlaygroundState& state) {
    const Inputs& inputs = state.inputs;
    const Result<PythonText> python = lines_of(state);
    if (!python) return Result<std::vector<StageCode>>::failure(python.error());
    std::vector<StageCode> all;
    const std::vector<PythonText::Cell>& places = python->places();
    for (std::size_t n = 0; n < places.size(); ++n) {
        const std::size_t end = n + 1 < places.size() ? places[n + 1].begin : python->text().size();
        std::vector<TensorId> stages = stages_of_names(places[n].name, inputs);
        std::string code =
            without_depth(std::string_view(python->text()).substr(places[n].begin, end - places[n].begin));
        if (!stages.empty() && !code.empty()) all.push_back({std::move(stages), std::move(code)});
    }
    bool is_first = true;
    for (const TensorId stage : present_stages(inputs)) {
        if (!is_gradient(stage)) continue;
        all.push_back({{stage}, concat(is_first ? "loss.backward()\n" : "", gradient_line(inputs, stage))});
        is_first = false;
    }
    return all;
}

Result<std::string> code_of_stage(const PlaygroundState& state, TensorId stage) {
    const Result<std::vector<StageCode>> all = code_of_stages(state);
    if (!all) return Result<std::string>::failure(all.error());
    const auto makes = [&](const StageCode& one) { return std::ranges::count(one.stages, stage) != 0; };
    const auto found = std::ranges::find_if(*all, makes);
    if (found == all->end())
        return Result<std::string>::failure(
            concat("The script has no lines of its own for ", tensor_name(stage), ": export the PyTorch script."));
    std::string text;
    for (const TensorId one : found->stages) {
        const StageWords words = stage_words(one, layer_parts(state.inputs), state.inputs.goal);
        text += concat("# ", tensor_name(one), ": ", words.formula, ", ", shape_letters(sizes_of(state.inputs, 0), one),
                       "\n");
    }
    return text + found->code + "\n";
}

}  // namespace attn
