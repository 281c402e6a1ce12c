// The panels around the picture, one a file. Each draws into the current ImGui window (or child) at the cursor.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

void draw_top_bar(UiFrame& frame);       // desktop only: title, sentence, theme
void draw_tokens(UiFrame& frame);        // chips under the sentence
void put_token_count(Display& display);  // how many there are; a press shows or hides the chips
void draw_stages(UiFrame& frame);        // the stage strip
void draw_notes(UiFrame& frame);         // what was moved to a legal value
void draw_reading(UiFrame& frame);       // how much of a model's files is read, with the button that stops it
void draw_empty(UiFrame& frame);         // no tokens: a friendly word and examples

// Where the matrices come from that the switch beside the chips shows as chosen: 0 random, 1 + the place in kOwnModels;
// -1 for another model, and while random ones are shown because the trained ones are not open.
int shown_origin(const Shown& shown);

}  // namespace attn
