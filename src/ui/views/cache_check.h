// Check me in view=cache: one count after another is asked for.
#pragma once

#include "playground/cache/cache_check.h"
#include "ui/frame/frame.h"

namespace attn {

// The question, its field and its buttons. The score goes into the next state.
void put_cache_check(UiFrame& frame, const CacheSplit& split);

}  // namespace attn
