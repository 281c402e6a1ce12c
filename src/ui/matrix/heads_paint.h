// Painting targets on the maps: a click on a cell says that its head should look there, another takes it back.
#pragma once

#include "ui/matrix/heads_picture.h"

namespace attn {

// The pointer over the cells, which were the last ImGui item: while painting is on, a click or a drag; a finger that
// rests on a cell paints it at any time. Returns whether the press is used up.
bool take_painting(const HeadsPicture& picture);

// P turns painting on and off, Escape off; while it is on, Space paints the pinned cell (move_with_keys).
void take_painting_keys(const HeadsPicture& picture);

// Paints the pinned cell, or takes its target away.
void paint_pinned_cell(const HeadsPicture& picture);

}  // namespace attn
