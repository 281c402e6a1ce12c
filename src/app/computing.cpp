// Begins the numbers when the state has changed, and says how long they took.
#include "app/computing.h"

#include <utility>

#include "playground/numbers/memory_needs.h"
#include "playground/state/open_models.h"
#include "playground/state/origin.h"

namespace attn {
namespace {

// Seconds of a frame that the numbers may have where they are begun. What is not done then is done in pieces between
// frames.
constexpr double kFirstSlice = 0.016;
// The same while training plays: fewer frames a second rather than a picture that comes and goes.
constexpr double kFirstSliceOfPlay = 0.05;

}  // namespace

void compute(Program& program, double seconds) {
    PartTimer timer(program.world.seconds);
    program.computation.work(seconds, program.world.seconds);
    add_seconds(program.part_seconds, timer.stop());
}

bool awaits_model(const Program& program) {
    const std::optional<PlaygroundState>& before = program.computation.evaluator().state();
    const Inputs& wanted = program.session.state().inputs;
    // Panels keep what a page locks as it is on the screen: a picture that stays must not bring the settings before
    // back.
    return find_own_model(wanted.model) && before && before->inputs.model != wanted.model &&
           before->view.lock.empty() && !program.is_model_refused && !open_model_of(wanted);
}

const PlaygroundState& shown_state(const Program& program) {
    return *program.computation.evaluator().state();
}

void update(Program& program) {
    if (awaits_model(program)) return;
    Computation& computation = program.computation;
    const int num_begun = computation.evaluator().num_begun();
    if (const std::optional<PlaygroundState> before = computation.begin_if_room(program.session.state())) {
        program.session.go_back_to(*before, no_room_note(program.session.state()));
        computation.begin(program.session.state());
    }
    if (computation.evaluator().num_begun() == num_begun) return;
    program.part_seconds = {};
    compute(program, program.ui.is_playing() ? kFirstSliceOfPlay : kFirstSlice);
}

void measure(Program& program) {
    const Evaluation& evaluation = program.computation.evaluator().shown();
    if (evaluation.is_empty() || !evaluation.is_complete()) return;
    Performance performance = measure_performance(evaluation, program.part_seconds, program.world.seconds);
    performance.bytes_of_program = program.world.memory_bytes();
    program.outcome = performance_in_words(performance);
    program.ui.show_performance(std::move(performance));
}

}  // namespace attn
