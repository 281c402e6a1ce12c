// What is drawn over the cells of a map for the visitor's own marks: selected rows and wished-for cells.
#pragma once

#include "ui/matrix/heads_picture.h"

namespace attn {

// A veil over the rows that are not selected, where any are.
void draw_selection_veil(const HeadsPicture& picture, ImVec2 corner);

// A dashed outline around each wished-for cell, in stages that have keys.
void draw_wished_cells(const HeadsPicture& picture, ImVec2 corner);

}  // namespace attn
