// What is computed for one state: what is shown, the same without what was typed, and the state beside it.
#include <limits>

#include "core/ground/work_parts.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/open_models.h"

namespace attn {
namespace {

constexpr std::int64_t kWhole =
    std::numeric_limits<std::int64_t>::max() / 2;  // multiply-adds: more than any evaluation has

// The edits that a lesson's step brings along: the visitor typed the others.
std::vector<Edit> given_edits(const View& view) {
    const PlaygroundState* step = step_state(view);
    return step == nullptr ? std::vector<Edit>() : step->inputs.edits;
}

}  // namespace

const Evaluation& Evaluator::update(const PlaygroundState& state) {
    begin(state);
    while (!advance(kWhole) && !waits_for_model(state.inputs)) continue;
    return shown();
}

bool Evaluator::is_begun(const PlaygroundState& state) const {
    return state == updated_for_ && model_changes_ == num_model_changes();
}

void Evaluator::begin(const PlaygroundState& state) {
    if (is_begun(state)) return;
    if (model_changes_ != num_model_changes()) give_up_memory();
    model_changes_ = num_model_changes();
    updated_for_ = state;
    const View& view = state.view;
    const bool wants_block = is_block_stage(view.stage);
    shown_.begin(state.inputs, view.sentence, view.head.value_or(view.cell ? view.cell->head : 0), wants_block);

    Inputs unedited = state.inputs;
    unedited.edits = given_edits(state.view);
    const std::int64_t num_tokens = shown().num_tokens();
    has_unedited_ = unedited.edits != state.inputs.edits && num_tokens > 0 &&
                    num_tokens * num_tokens * state.inputs.num_heads <= kMaxScoresTwice;
    has_unedited_ ? (void)unedited_.begin(unedited, state.view.sentence, 0, wants_block) : unedited_.forget();

    if (state.view.view != ViewKind::compare || state.view.compare.empty()) {
        other_state_.reset();
        other_.forget();
    } else {
        if (!other_state_ || other_link_ != state.view.compare) other_state_ = read_link(state.view.compare).state;
        other_link_ = state.view.compare;
        other_.begin(other_state_->inputs, other_state_->view.sentence, 0, wants_block);
    }
}

bool Evaluator::advance(std::int64_t multiply_adds) {
    if (!shown_.advance(multiply_adds)) return false;
    const Unobserved unobserved;  // the time that counts is that of what is shown
    if (has_unedited_ && !unedited_.advance(multiply_adds)) return false;
    return !other_state_ || other_.advance(multiply_adds);
}

std::int64_t Evaluator::multiply_adds_left() const {
    return shown_.multiply_adds_left() + unedited_.multiply_adds_left() + other_.multiply_adds_left();
}

void Evaluator::give_up_memory() {
    updated_for_.reset();
    has_unedited_ = false;
    other_state_.reset();
    for (CachedEvaluation* cached : {&shown_, &unedited_, &other_}) cached->give_up_memory();
}

bool Evaluator::is_complete() const {
    return shown().is_complete() && (!has_unedited_ || unedited_.evaluation().is_complete()) &&
           (!other_state_ || other_.evaluation().is_complete());
}

}  // namespace attn
