// The lines view.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Tokens in two columns, queries left and keys right, and a line for each weight between them. Under them the legend
// and the targets. Never called without tokens.
void draw_lines(UiFrame& frame);

}  // namespace attn
