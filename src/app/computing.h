// Computes the numbers of the state, in pieces between frames.
#pragma once

#include "app/program.h"

namespace attn {

// Begins the numbers of the state as it is now and works on them for a moment: after a keystroke the visitor waits
// for the picture. Where there is no room for them the state before comes back, with a note.
void update(Program& program);

// Continues with them for about this many seconds.
void compute(Program& program, double seconds);

// How long the numbers take, for the performance card: it asks again when there are others.
void measure(Program& program);

}  // namespace attn
