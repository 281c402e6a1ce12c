// Under the picture: how much each head does of what is wished for.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// A heading that shows how wishes are drawn, then a line for each: the weight in each head, and a check mark where it
// is the largest of its row. A click pins its cell. Nothing without wishes. At the cursor, over the whole width.
void put_wish_strip(UiFrame& frame);

// Its height with the distance to what stands above it; 0 without wishes.
float wish_strip_height(const UiFrame& frame);

}  // namespace attn
