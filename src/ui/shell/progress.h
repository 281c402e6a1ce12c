// The progress of a long text's computation: a bar, the time left, and the button to stop it or go on. Knows nothing of
// the numbers themselves.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "ui/frame/frame.h"

namespace attn {

// "computing: 5 of 16 heads, 0.4 s left", "stopped: 5 of 16 heads".
std::string progress_text(const Progress& progress);

// Words and a button side by side, and a bar under them.
struct ProgressRow {
    std::string words;  // shortened to the room before the button
    float share = 0;    // of the bar, 0 to 1
    std::string item;   // the button's name
    std::string_view label;
    float button_width = 0;
    ImU32 bar = 0;  // its colour
};
// From the cursor on, `width` wide. Returns whether the button was pressed.
bool put_progress_row(UiFrame& frame, float width, const ProgressRow& row);
float progress_row_height(const Look& look);

// Whether the chosen view can draw what is ready: maps of single heads as they come, all else at the end.
bool can_draw_view(const Shown& shown);

// In the place of the picture, from the cursor on: why there is nothing yet.
void draw_progress_page(UiFrame& frame);

// Over the lower edge of the picture of this size at `corner` (screen), if part of its maps are there. Waits a moment,
// because short computations would make it flicker.
void draw_progress_strip(UiFrame& frame, ImVec2 corner, ImVec2 size);

// In the place of the explanation, from the cursor on: a sentence.
void put_progress_sentence(Display& display);

}  // namespace attn
