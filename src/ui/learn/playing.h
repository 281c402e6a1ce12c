// Training that plays: `steps` counts up from frame to frame, as if the visitor did it. What it does next follows from
// the state and from what panels remember.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Steps of training a frame.
enum class Speed { one, ten, hundred, fast };

struct LearnMemory {
    Speed speed = Speed::one;
    int range = 0;    // of the scrubber; at least range_for(steps)
    Inputs range_of;  // whose goal, targets and sentences the range belongs to
};

LearnMemory& learn_memory(Display& display);

// The end of the scrubber for this number of steps: 100, 200, 500, 1,000 and so on, or the most steps that there may
// be.
int range_for(const Inputs& inputs, int steps);

// How many steps a frame takes at this speed: at most what fits beside the picture as far as the sizes tell, which is
// what `fast` takes.
int steps_of_frame(Speed speed, const Inputs& inputs);

// Whether there are steps to take: the state has a target or a next word, and something that learns it.
bool can_train(const Shown& shown);

// Whether a loss or a number stopped being finite, so that more steps change nothing.
bool has_stopped(const Shown& shown);

bool is_playing(const PanelMemory& memory);

// Starts, beyond the scrubber's end with a longer scrubber. Under reduced motion it takes all steps at once.
void play(UiFrame& frame);
void pause(PanelMemory& memory);

// Sets the steps by hand: playing stops.
void go_to_step(UiFrame& frame, int steps);

// Takes the next steps of what plays, or stops it. Once a frame, before the panels.
void keep_playing(UiFrame& frame);

}  // namespace attn
