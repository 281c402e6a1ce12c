// The way into the lessons: a button, and the list it opens.
#pragma once

#include "playground/lessons/lessons.h"
#include "ui/frame/frame.h"

namespace attn {

float lesson_button_width(const Look& look);

// The button at the cursor, and the list while it is open.
void put_lesson_button(UiFrame& frame);

// Whether something was answered in the lesson ("": anywhere), and the page around can show it as a sheet.
bool has_sheet(const UiFrame& frame, std::string_view lesson);

// The button that asks the page for the sheet.
void put_sheet_icon(UiFrame& frame);

// Opens the lesson where the visitor left it, else at its first step.
void open_lesson(UiFrame& frame, const Lesson& lesson);

}  // namespace attn
