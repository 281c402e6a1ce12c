#include "ui/learn/playing.h"

#include <algorithm>
#include <memory>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/recipe_keys.h"
#include "ui/frame/layout.h"

namespace attn {
namespace {

// Multiply-adds of a frame at any speed: about 2.5 ms of a page, and about 8 ms of one whose browser has not compiled
// them well yet, so that drawing has its time, too, in the 16 of a frame.
constexpr double kMostOfFrame = 7.5e6;

bool has_same_task(const Inputs& a, const Inputs& b) {
    return a.goal == b.goal && a.targets == b.targets && a.texts == b.texts;
}

bool is_allowed(const Shown& shown) {
    return shows_part(shown, "training") && !locks_control(shown.state.view, "steps");
}

}  // namespace

LearnMemory& learn_memory(Display& display) {
    if (!display.memory.learn) display.memory.learn = std::make_shared<LearnMemory>();
    LearnMemory& memory = *display.memory.learn;
    const Inputs& inputs = display.state.inputs;
    if (!has_same_task(memory.range_of, inputs)) {
        memory.range_of = inputs;
        memory.range = 0;
    }
    memory.range = std::max(memory.range, range_for(inputs, inputs.steps));
    return memory;
}

int range_for(const Inputs& inputs, int steps) {
    constexpr int kShortest = 100;
    int range = kShortest;
    while (range < steps) {
        const int first_digit = [&] {
            int digit = range;
            while (digit >= 10) digit /= 10;
            return digit;
        }();
        range = first_digit == 2 ? range / 2 * 5 : range * 2;  // 1, 2, 5, 10
    }
    return std::min(range, most_steps(inputs));
}

int steps_of_frame(Speed speed, const Inputs& inputs) {
    const int most = static_cast<int>(std::max(1.0, kMostOfFrame / step_cost(inputs)));
    switch (speed) {
        case Speed::one:
            return 1;
        case Speed::ten:
            return std::min(10, most);
        case Speed::hundred:
            return std::min(100, most);
        case Speed::fast:
            return most;
    }
    return 1;
}

bool can_train(const Shown& shown) {
    return has_goal(shown.state.inputs) && shown.evaluation.num_tokens() > 0 &&
           !trained_tensors(shown.state.inputs).empty();
}

bool has_stopped(const Shown& shown) {
    const Evaluation& evaluation = shown.evaluation;
    return !evaluation.is_preparing() && evaluation.run && evaluation.run->training().is_stopped();
}

bool is_playing(const PanelMemory& memory) {
    return memory.clock.plays(Playing::training);
}

void play(UiFrame& frame) {
    LearnMemory& memory = learn_memory(frame);
    const Inputs& inputs = frame.next.inputs;
    if (inputs.steps >= memory.range) memory.range = range_for(inputs, inputs.steps + 1);
    if (frame.reduces_motion) return go_to_step(frame, memory.range);
    frame.memory.clock.start(Playing::training, frame.next, 0);
    frame.widgets.is_moving = true;
}

void pause(PanelMemory& memory) {
    memory.clock.stop(Playing::training);
}

void go_to_step(UiFrame& frame, int steps) {
    pause(frame.memory);
    frame.next.inputs.steps = std::clamp(steps, 0, most_steps(frame.state.inputs));
}

void keep_playing(UiFrame& frame) {
    if (!is_playing(frame.memory)) return;
    const LearnMemory& memory = learn_memory(frame);
    PlayClock& clock = frame.memory.clock;
    Inputs& inputs = frame.next.inputs;
    const bool is_changed = inputs != clock.played().inputs || frame.state.inputs != clock.played().inputs;
    const bool is_at_end = inputs.steps >= memory.range || has_stopped(frame);
    const bool is_cancelled = frame.surroundings.progress.is_stopped;
    if (is_changed || is_at_end || is_cancelled || !can_train(frame) || !is_allowed(frame)) return pause(frame.memory);
    frame.session.go_on_changing();
    frame.widgets.is_moving = true;
    if (!frame.evaluator.is_complete()) return;  // the steps before are still being taken
    inputs.steps = std::min(inputs.steps + steps_of_frame(memory.speed, inputs), memory.range);
    clock.took_step(frame.next, 0);
}

}  // namespace attn
