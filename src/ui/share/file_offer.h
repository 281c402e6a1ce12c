// A file that can be used in several ways: the question, and a button for each answer.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Over everything else while PanelMemory::offer waits for an answer.
void draw_file_offer(UiFrame& frame);

}  // namespace attn
