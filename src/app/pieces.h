// Does work that takes longer than a frame piece by piece, between frames.
#pragma once

#include "app/program.h"

namespace attn {

// Does one piece of such work: maps whose numbers are there come first, then numbers, then work of views that needs all
// numbers, then files. The first map and the end are shown at once; in between, the progress.
WorkOutput work(Program& program);

}  // namespace attn
