// The lesson that is on: what this step says, what was printed beside what the method gives, and the way through the
// steps. A card under the picture, or above the inspector where the canvas is low.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// How much of a column of this size the card takes; 0 when it is not there.
float lesson_panel_height(const UiFrame& frame, ImVec2 column);

// At the cursor.
void draw_lesson_panel(UiFrame& frame, ImVec2 size);

}  // namespace attn
