// The views: ways to look at one state. One table that the bar above the picture and the dispatch walk.
#pragma once

#include <span>
#include <string_view>

#include "ui/ui.h"

namespace attn {

struct ViewInfo {
    ViewKind kind;
    std::string_view title;  // on the bar
    std::string_view help;   // one sentence
    bool is_of_stage;        // shows the chosen stage; else something of its own, found under "More"
    void (*draw)(UiFrame&);  // into the current window at the cursor; never called without tokens
};

std::span<const ViewInfo> view_table();
const ViewInfo& view_info(ViewKind kind);

// At the cursor, at most `width` wide: a tab for each view, and "More" for those that found no room.
void put_view_tabs(UiFrame& frame, float width);

// The view that is on.
void draw_view(UiFrame& frame);

}  // namespace attn
