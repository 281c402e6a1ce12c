// The current lesson: the step's words, printed numbers beside computed ones, and the way through the steps. A card
// below the picture, or above the inspector if the canvas is low.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// The card's height in a column of this size; 0 without a card.
float lesson_panel_height(UiFrame& frame, ImVec2 column);

// At the cursor.
void draw_lesson_panel(UiFrame& frame, ImVec2 size);

// What the step asks before it goes on (playground/lessons/prediction.h), below the words of the card; 0 where it asks
// nothing.
float prediction_height(UiFrame& frame, float width);

// At the cursor: its choices as buttons, and what is said to a choice. A cell or a head that is pressed in the picture
// is a choice, too, until there is one.
void put_prediction(UiFrame& frame, float width);

}  // namespace attn
