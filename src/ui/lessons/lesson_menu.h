// The way into the lessons: a button, and the list it opens.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

float lesson_button_width(const Look& look);

// The button at the cursor, and the list while it is open.
void put_lesson_button(UiFrame& frame);

}  // namespace attn
