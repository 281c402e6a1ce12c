// Undo and redo: two small buttons, and their keys.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Both buttons side by side at the cursor; disabled where there is nothing to undo or redo.
void put_undo_buttons(UiFrame& frame);
float undo_buttons_width(const Look& look, int count = 2);

// One of them.
void put_undo_button(UiFrame& frame);
void put_redo_button(UiFrame& frame);

// Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y (Command on a Mac), wherever the focus is. A field that is being typed in keeps them
// for itself.
void take_undo_keys(UiFrame& frame);

}  // namespace attn
