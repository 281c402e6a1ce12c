// Does what the panels ask for and cannot do themselves: files, copies, measuring.
#pragma once

#include "app/program.h"

namespace attn {

inline constexpr double kPiece = 0.01;  // seconds that a piece of work takes, about

// Does what the panels asked for in the last frame, as far as it can be done in this one. What needs numbers that are
// still computed waits for them; what takes long is made in pieces between the frames.
void take_requests(Program& program, double seconds, FrameOutput& output);

// Goes on with the file that is being made, until `end` (seconds) or until it is made. Returns whether there is more to
// do.
bool make_file(Program& program, double end);

}  // namespace attn
