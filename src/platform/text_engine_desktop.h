// Text as pixels through Pango: shaping, right-to-left, the system's fonts for any script, colour emoji.
#pragma once

#include "render/text_bitmap.h"

namespace attn {

// An engine of its own fonts and caches; copies of the function share them. For one thread.
RasterizeText start_pango();

}  // namespace attn
