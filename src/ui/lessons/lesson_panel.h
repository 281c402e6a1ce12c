// The current lesson: the step's words, printed numbers beside computed ones, and the way through the steps. A card
// below the picture, or above the inspector if the canvas is low.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// The card's height in a column of this size; 0 without a card.
float lesson_panel_height(const Display& display, ImVec2 column);

// At the cursor.
void draw_lesson_panel(UiFrame& frame, ImVec2 size);

}  // namespace attn
