// What every widget is made of: an ImGui item with a name.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "ui/frame/canvas.h"

namespace attn {

// How an item stands this frame.
struct ItemState {
    bool is_pressed = false;  // clicked, tapped, or chosen with Enter or Space
    bool is_hovered = false;
    bool is_held = false;
    bool is_focused = false;  // by the keyboard
    ImVec2 min, max;          // screen

    ImVec2 center() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};

// An invisible item at the cursor that pointer and keyboard can reach; the caller draws its look over it. `name` is its
// id in the current window and its name in Canvas::items.
ItemState item(Canvas& canvas, const std::string& name, ImVec2 size, bool is_enabled = true);

// What a screen reader calls the item, where that is neither the setting of its name nor its label on the screen. For
// items that come by the dozen: only `if (state.is_focused)`, as words cost something.
void call_item(Canvas& canvas, const ItemState& state, std::string_view words);
// The same for ImGui's last item.
void call_last_item(Canvas& canvas, std::string_view words);

// Enter gives the arrow keys to the item that was put last, Enter or Escape gives them back, and so does whoever goes
// elsewhere: an arrow that walks over it changes nothing. Returns whether it has them; ImGui's key owner is its id.
bool takes_arrows(Canvas& canvas, const std::string& name, bool is_focused, bool is_upright_too = true);

// Draws the ring around the item that has the keyboard's focus, over everything drawn before. Once a frame, at the end.
void draw_focus_ring(Canvas& canvas);

// Puts the last ImGui item into Canvas::items.
void record_item(Canvas& canvas, const std::string& name);

}  // namespace attn
