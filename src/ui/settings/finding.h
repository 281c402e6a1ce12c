// The search above the settings: what is typed there finds settings, views and lessons (playground/find). What was
// found takes the place of the settings until one of it is chosen.
#pragma once

#include <string>

#include "ui/frame/frame.h"

namespace attn {

struct FindMemory {
    bool is_on = false;         // the search is a field to type in
    bool has_focus = false;     // of the keyboard, as far as the field was drawn
    bool wants_drawer = false;  // the settings are to be opened where they are no column
    std::string query;
    std::string early;      // letters that came before the field had the focus
    std::string told;       // of it: how much it finds was told to screen readers
    std::string wanted;     // the link key of the setting that the focus goes to once its row is drawn
    int frames_wanted = 0;  // for which its row is still looked for
};

FindMemory& find_memory(PanelMemory& memory);

// "/" begins to search, wherever the focus is while nothing is typed. Before the panels are drawn.
void take_find_key(UiFrame& frame);

float find_field_height(const Look& look);
// The field at the cursor, `width` wide.
void put_find_field(UiFrame& frame, float width);

// What the typed words find, in the current window at the cursor. Returns false if nothing is typed.
bool put_found(UiFrame& frame);

// Moves the focus to the setting that was chosen, when its row or that of the setting before it is among the items from
// `first_item` on, in the current window.
void follow_found(UiFrame& frame, std::size_t first_item);

}  // namespace attn
