// view=model: a model of many layers, its heads, the next words and who votes for them. view=lens: which word the
// stream would give after each layer. view=journey: one token's row at each stop of its way.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

void draw_model(UiFrame& frame);
void draw_lens(UiFrame& frame);
void draw_journey(UiFrame& frame);
// view=patch: what rows of another text's run do to the choice between two words.
void draw_patch(UiFrame& frame);

}  // namespace attn
