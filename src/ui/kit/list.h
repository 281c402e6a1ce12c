// A list of lines with a limited height; longer lists scroll.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// `num_lines` lines high, at most `most` of them in sight.
void begin_list(const UiFrame& frame, const char* id, int num_lines, int most);
void end_list(const UiFrame& frame);
float list_line_height(const UiFrame& frame);

}  // namespace attn
