// Where to open a window that belongs to something on the screen: a menu or a card at its button, a tip beside its
// subject.
#pragma once

#include <imgui.h>

namespace attn {

struct ScreenBox {
    ImVec2 min, max;
};

// The box of the last ImGui item.
ScreenBox last_item_box();

struct PopupPlace {
    ImVec2 at;          // where `pivot` of the window goes: 0 is its left or upper edge, 1 its right or lower one
    ImVec2 pivot;       // its upper edge is under the button's lower one, or its lower edge over the button's upper one
    float most_height;  // more of it scrolls
};

// For a window `width` wide: its left edge is the button's left edge or, without room for that, its right edge is the
// button's right edge; a window too wide for both is centred. It opens downwards, or upwards if only there is room. If
// neither side has room, it covers the button.
PopupPlace popup_place(const ScreenBox& button, float width, ImVec2 display);

// The next ImGui window opens there.
void place_next_popup(const PopupPlace& place);

// The upper left corner of a tip of this size: across a corner of `about` and its neighbours of the same size, so that
// it covers nothing in the same row or column; beside them where the display has no room for that.
ImVec2 tip_corner(ImVec2 size, const ScreenBox& about, ImVec2 display);

// A tip about a place on the screen; end_tip() follows if it returns true.
bool begin_tip(const ScreenBox& about);
// Whether the frame's tip was placed before its size was known: another frame puts it right.
bool is_tip_unplaced();
void end_tip();

}  // namespace attn
