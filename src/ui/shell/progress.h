// How far the computation of a long text is: a bar, the time that is left, and the way to stop it or go on. Knows
// nothing of the numbers themselves.
#pragma once

#include <string>

#include "ui/frame/frame.h"

namespace attn {

// "computing: 5 of 16 heads, 0.4 s left", "stopped: 5 of 16 heads".
std::string progress_text(const Progress& progress);

// Whether the view that is chosen can draw what there is: the maps of single heads as they come, all else at the end.
bool can_draw_view(const UiFrame& frame);

// In the place of the picture, from the cursor on: why there is nothing yet.
void draw_progress_page(UiFrame& frame);

// Over the lower edge of the picture of this size at `corner` (screen), whose maps are there in part. Nothing for the
// first moment, so that short computations do not flicker.
void draw_progress_strip(UiFrame& frame, ImVec2 corner, ImVec2 size);

// In the place of the explanation, from the cursor on: a sentence.
void put_progress_sentence(UiFrame& frame);

}  // namespace attn
