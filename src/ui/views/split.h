// view=split: what the weight split does to one matrix, shape by shape.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// The tensor of the shown stage in one of its three shapes; Back, Next and Play move its numbers to the next shape.
void draw_split(UiFrame& frame);

}  // namespace attn
