// What is drawn over the cells of a map for the visitor's own marks: selected rows and targets.
#pragma once

#include "ui/matrix/heads_picture.h"

namespace attn {

// A veil over the rows that are not selected, where any are.
void draw_selection_veil(const HeadsPicture& picture, ImVec2 corner);

// A dashed outline in the head's colour around each cell that is a target of this head, or of any where heads are put
// together; in stages that have keys.
void draw_targets(const HeadsPicture& picture, int head, ImVec2 corner);

}  // namespace attn
