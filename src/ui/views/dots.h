// view=dots: why scores are divided by √d. Random pairs of query and key above, the visitor's own sentence below.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

void draw_dots(UiFrame& frame);

// The parts of it. Each at the cursor, as wide as there is room.
void put_random_pairs(UiFrame& frame);
void put_own_sentence(UiFrame& frame);

}  // namespace attn
