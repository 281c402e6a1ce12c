// The lines view, and the strip under maps and lines: how much each head does of what it is asked.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Tokens in two columns, queries left and keys right, and a line for each weight between them. Under them the legend
// and the targets. Never called without tokens.
void draw_lines(UiFrame& frame);

// A heading that shows how targets are drawn, then a line for each pair of query and key: the weight in each head, soft
// where the head is not asked for it, and a check mark where it is the largest of its row. A click pins its cell.
// Nothing without targets. At the cursor, over the whole width.
void put_target_strip(UiFrame& frame);

// Its height with the distance to what stands above it; 0 without targets.
float target_strip_height(const Display& display);

}  // namespace attn
