// Zooming into the maps and moving about in them. All heads show the same part, View::window. The wheel with Ctrl (two
// fingers on the web), dragging, keys, buttons and the overview all write that one choice. A map keeps its place and
// its room on the screen while its cells grow.
#pragma once

#include "ui/matrix/heads_picture.h"

namespace attn {

// Zooms the maps of an arranged picture to the part that the view asks for.
void apply_window(HeadsPicture& picture);

// The line above long maps: smaller, larger, everything, and which part is shown. Returns the factor by which cells
// should grow, 0 for everything, 1 for no change.
double put_zoom_bar(Display& display, const ShownStage& stage);

// Shows cells `factor` times as large, 0: all of them. The pinned cell stays where it is, or else the middle.
void zoom_by(const HeadsPicture& picture, double factor);

// The wheel with Ctrl and dragging over the cells, which were the last ImGui item. Returns whether they are dragged.
bool take_zoom_pointer(const HeadsPicture& picture);

// +, - and 0 while the cells, the last ImGui item, have the focus; inside them (HeadsMemory::is_in_cells) Shift and the
// arrows.
void take_zoom_keys(const HeadsPicture& picture);

// Moves the part along if the pinned cell has left it.
void follow_with_window(const HeadsPicture& picture);

// While zoomed: all of one map in a corner, with the part that is shown, which can be dragged. Call it inside the
// maps' ImGui window, after them; `head` is the map that is drawn.
void put_overview(const HeadsPicture& picture, int head);

}  // namespace attn
