// What widgets draw with: the look of the frame, and the places where they leave word of what they drew. Knows no state
// and no numbers.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <vector>

#include "render/heatmap.h"
#include "ui/look/look.h"

namespace attn {

// One item of the screen, for tests that drive the program from outside. Named after what it does, in the words of the
// link where there is one: "mask=none", "stage=weights", "heads+", "token=7".
struct UiItem {
    std::string name;
    ImGuiID id = 0;
    ImVec2 min, max;           // points from the canvas's top left corner
    bool is_clipped = false;   // by the window it stands in: scrolled out of sight, wholly or in part
    bool takes_focus = false;  // of the keyboard
    float own_bottom = 0;  // where its own part ends and the words that it shares with its neighbours begin; 0: nowhere
};

// Where the keyboard's focus is, for the ring that is drawn over everything else.
struct FocusRing {
    bool is_visible = false;
    std::string name;        // of the item, with or without a ring of ours; empty: none, or it came by pointer
    std::string words = {};  // what it is called, where that is neither its setting nor its label
    std::string label;       // its label on the screen
    std::string value = {};  // what it shows: "4" of a stepper, "on" of a switch
    std::string field = {};  // for a text field: its name, and its text when the focus came
    std::string field_text = {};
    ImVec2 min, max;
    ImVec2 clip_min, clip_max;  // of the window the item is in
};

// What widgets keep from one frame to the next.
struct WidgetMemory {
    FocusRing focus;               // of this frame
    bool is_moving = false;        // something moved in this frame: the next one follows at once
    bool finger_scrolls = false;   // in this frame it moved what a panel shows
    bool finger_is_taken = false;  // it drags a map, paints, or holds the sheet: it scrolls nothing
    std::string typed_item;        // the stepper whose number is being typed; empty: none
    bool typed_item_has_focus = false;
    std::string refocused_item;  // the stepper whose typing has just ended: the keyboard's focus goes back to it
    std::string held_item;       // the one that has the arrow keys (takes_arrows); empty: they walk from item to item
    std::vector<std::string> scroll_to;  // items that scroll into sight in this frame
    // What this frame leaves to the time between frames, where nothing is drawn. A step takes some milliseconds, owns
    // what it works on, and says whether a frame is to follow: there is something new to show, or all is done.
    std::vector<std::function<bool()>> left;
};

struct Canvas : Look {
    HeatmapRenderer* heatmaps;   // null without GL (tests): maps then stay blank, all else is the same
    std::vector<UiItem>& items;  // what stands where: each widget adds itself
    WidgetMemory& widgets;
};

}  // namespace attn
