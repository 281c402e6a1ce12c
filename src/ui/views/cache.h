// view=cache: token by token with a cache, beside the same without one.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Controls above the picture: back, play, step, the scrubber over the tokens, the prompt; those of the memory meter
// below.
void draw_cache(UiFrame& frame);

}  // namespace attn
