// What can be done with what was trained, and how fast it plays: where there is room for it, in the bar under the
// picture, else among the settings.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// "1 10 100 fast", steps a frame, at the cursor.
void put_speed(Display& display);
float speed_width(const Look& look);

// Each a button at the cursor, which nothing but trained numbers has a use for.
void put_keep_button(UiFrame& frame);     // the trained numbers as edits, or as a session file where they are too many
void put_compare_button(UiFrame& frame);  // beside the numbers before the first step

}  // namespace attn
