// The lesson that is on: what this step says, what was printed beside what the method gives, and the way through the
// steps. A card under the picture.
#pragma once

#include "ui/ui.h"

namespace attn {

// How much of a column of this size the card takes; 0 without a lesson, or when lessons are hidden.
float lesson_panel_height(const UiFrame& frame, ImVec2 column);

// At the cursor.
void draw_lesson_panel(UiFrame& frame, ImVec2 size);

}  // namespace attn
