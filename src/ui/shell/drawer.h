// Settings that slide over the picture where they have no column, and the ground that panels stand on.
#pragma once

#include <imgui.h>

#include "ui/frame/frame.h"

namespace attn {

// A child window on the panel's colour, between the two.
void begin_panel(const Look& look, const char* id, ImVec2 size, ImVec2 padding);
void end_panel(const Canvas& canvas);

// Both in the same window. A click beside the drawer closes it, as does Escape.
void open_drawer();
void draw_drawer(UiFrame& frame);

}  // namespace attn
