#include "playground/state/origin.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/state/open_models.h"

namespace attn {

const OwnModel* find_own_model(std::string_view name) {
    const auto found = std::ranges::find(kOwnModels, name, &OwnModel::name);
    return found == kOwnModels.end() ? nullptr : &*found;
}

// In no table with what a first picture reads.
std::string_view about_own_model(const OwnModel& model) {
    return &model == &kFirstWords ? "a small model that knows 128 words" : "a model that reads any words";
}

std::string_view size_of_own_model(const OwnModel& model) {
    return &model == &kFirstWords ? "0.2 MB" : "2.6 MB";
}

std::string own_model_in_words(const OwnModel& model) {
    const bool is_open = find_open_model(model.name) != nullptr;
    return concat(model.name, ", ", about_own_model(model), is_open ? "" : ", ",
                  is_open ? "" : size_of_own_model(model));
}

std::string size_to_fetch(const OwnModel& model) {
    return find_open_model(model.name) ? "" : concat(" (", size_of_own_model(model), ")");
}

void make_trained(Inputs& inputs, const OwnModel& model) {
    if (inputs.model == model.name) return;
    leave_matrices(inputs);
    inputs.model = model.name;
    inputs.layer = model.layer;
    inputs.d_in = inputs.d_out = model.width;
    inputs.num_heads = model.num_heads;
    inputs.num_kv_heads = 0;
    inputs.bias = false;  // the model decides: that of the model before is nobody's choice
}

PlaygroundState door_state() {
    PlaygroundState state;
    state.view.view = ViewKind::door;
    state.inputs.texts = {std::string(kDoorSentence)};
    make_trained(state.inputs);
    return state;
}

void make_random(Inputs& inputs) {
    if (inputs.model.empty()) return;
    inputs.model.clear();
    leave_matrices(inputs);
}

void leave_matrices(Inputs& inputs) {
    inputs.layer = 0;
    inputs.off.clear();
    inputs.patches.clear();
    inputs.patched_from.reset();
    inputs.edits.clear();
}

void leave_place(View& view) {
    view.head.reset();
    view.cell.reset();
    view.select.clear();
    view.word.clear();
    view.against.clear();
    view.said = 0;
}

// Not inlined, as the note below: they come with a later part of the page.
[[gnu::noinline]] std::string model_in_summary(const Inputs& inputs) {
    std::string words = concat(inputs.model, ", layer ", inputs.layer + 1);
    if (!inputs.off.empty()) words += ", heads off";
    if (!inputs.patches.empty())
        words += inputs.patches.size() == 1 ? ", 1 patch" : concat(", ", inputs.patches.size(), " patches");
    return words;
}

[[gnu::noinline]] std::string note_on_absent_model(const Inputs& inputs) {
    if (find_own_model(inputs.model)) return "the trained model is not open yet: until it is, these numbers are random";
    return concat("the model ", quoted(inputs.model),
                  " is not open here: until you open its files, these numbers are random");
}

}  // namespace attn
