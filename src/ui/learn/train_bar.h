// The bar under the picture: play, pause, one step, back, start again; the scrubber over the steps; the recipe in
// words; the loss, and its curve over the steps that were taken.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Of a column of this size; 0 where there is no bar: nothing is to be learned, or the author of the page left it out.
// A phone and a low canvas have one line with play, scrubber and loss; the rest is among the settings.
float train_bar_height(const Display& display, ImVec2 column);

// Whether it is that one line.
bool is_short_train_bar(const Look& look, ImVec2 column);

// At the cursor.
void draw_train_bar(UiFrame& frame, ImVec2 size);

}  // namespace attn
