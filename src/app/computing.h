// Computes the numbers of the state, in pieces between frames.
#pragma once

#include "app/program.h"

namespace attn {

// Begins the numbers of the state as it is now and works on them for a moment: after a keystroke the visitor waits
// for the picture. Where there is no room for them the state before comes back, with a note. While the own model is on
// its way here (awaits_model) nothing is begun.
void update(Program& program);

// Whether a visitor has just asked for the own model and it is not here yet: until then the picture stays the one
// before, which is whole, and not one of random numbers.
bool awaits_model(const Program& program);

// What is on the screen: the session's state, or the one before while the own model is awaited. To be called after the
// first update().
const PlaygroundState& shown_state(const Program& program);

// Continues with them for about this many seconds.
void compute(Program& program, double seconds);

// How long the numbers take, for the performance card: it asks again when there are others.
void measure(Program& program);

}  // namespace attn
