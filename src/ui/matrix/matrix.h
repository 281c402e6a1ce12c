// The matrix and its numbers: the heat maps of all heads, or the enlarged one, or their tables; tools above, legend
// below.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Into the current window at the cursor; the sentence has tokens. Which of the two is drawn is the state's view.
void draw_matrix(UiFrame& frame);
void draw_numbers(UiFrame& frame);

}  // namespace attn
