// The visit of this process. The picture and the text version (src/engine.cpp) share it, so that answers and what can
// be undone are the same in both.
#pragma once

#include "playground/visit/session.h"

namespace attn {

Session& this_visit();

}  // namespace attn
