#include "playground/state/origin.h"

namespace attn {

void make_trained(Inputs& inputs) {
    if (!inputs.model.empty()) return;
    leave_matrices(inputs);
    inputs.model = kOwnModel;
    inputs.layer = 1;
    // Its shape, so that a view of one of its heads is a view of that head before its files are here, too.
    inputs.d_in = inputs.d_out = 64;
    inputs.num_heads = 8;
    inputs.num_kv_heads = 0;
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
    inputs.edits.clear();
}

void leave_place(View& view) {
    view.head.reset();
    view.cell.reset();
    view.select.clear();
    view.word.clear();
    view.said = 0;
}

}  // namespace attn
