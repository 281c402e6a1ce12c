// The way into the lessons: a button, and the list it opens.
#pragma once

#include "playground/lessons/lessons.h"
#include "ui/frame/frame.h"

namespace attn {

float lesson_button_width(const Look& look);

// The button at the cursor, and the list while it is open.
void put_lesson_button(UiFrame& frame);

// Opens the lesson where the visitor left it, else at its first step.
void open_lesson(UiFrame& frame, const Lesson& lesson);

}  // namespace attn
