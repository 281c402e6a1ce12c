// A list of lines with a limited height; longer lists scroll.
#pragma once

#include "ui/frame/canvas.h"

namespace attn {

// `num_lines` lines high, at most `most` of them in sight.
void begin_list(const Look& look, const char* id, int num_lines, int most);
void end_list(const Canvas& canvas);
float list_line_height(const Look& look);

}  // namespace attn
