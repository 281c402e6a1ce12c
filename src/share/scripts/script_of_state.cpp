// The script of a model as a file, as cells and as lines, of a model and of a state whose model is open.
#include <optional>
#include <string_view>
#include <utility>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/models/model_numbers.h"
#include "share/scripts/script_model.h"
#include "share/scripts/script_parts.h"
#include "share/scripts/script_patches.h"

namespace attn {
namespace {

ModelScriptHead head_of_state(const PlaygroundState& state, const ModelText& text) {
    return {
        .name = text.name, .link = write_link(state), .words = text.words, .layer = state.inputs.layer, .state = state};
}

constexpr std::string_view kNoModelText = "The sentence is empty, so there is nothing that a script could compute.";

}  // namespace

Result<std::string> script_model(const Model& model, const ModelInput& input, const ModelScriptHead& head) {
    if (std::string problem = find_patch_script_problem(model.config, input); !problem.empty())
        return Result<std::string>::failure(std::move(problem));
    return finished_script(python_of_model(model, input, head));
}

Result<std::string> script_model(const PlaygroundState& state) {
    const std::optional<ModelText> text = model_text(state.inputs, state.view.sentence);
    if (!text) return Result<std::string>::failure(std::string(kNoModelText));
    return script_model(*text->model, text->input, head_of_state(state, *text));
}

Result<PythonText> lines_model(const PlaygroundState& state) {
    const std::optional<ModelText> text = model_text(state.inputs, state.view.sentence);
    if (!text) return Result<PythonText>::failure(std::string(kNoModelText));
    return python_of_model(*text->model, text->input, head_of_state(state, *text));
}

Result<PythonText> cells_model(const PlaygroundState& state, const Evaluation& shown) {
    const std::optional<ModelText> text = model_text(state.inputs, state.view.sentence);
    if (!text || shown.is_empty()) return Result<PythonText>::failure(std::string(kNoModelText));
    ModelScriptHead head = head_of_state(state, *text);
    head.is_notebook = true;
    head.check = model_notebook_check(state, shown, text->model->weights.unembedding.is_there());
    return python_of_model(*text->model, text->input, head);
}

}  // namespace attn
