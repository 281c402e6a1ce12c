// What every widget is made of: an ImGui item with a name.
#pragma once

#include <imgui.h>

#include <string>

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

// Draws the ring around the item that has the keyboard's focus, over everything drawn before. Once a frame, at the end.
void draw_focus_ring(Canvas& canvas);

// Puts the last ImGui item into Canvas::items.
void record_item(Canvas& canvas, const std::string& name);

}  // namespace attn
