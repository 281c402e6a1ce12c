// Painting where heads should look: the tools that stand above maps and lines, and what a painted cell comes to.
#pragma once

#include "ui/frame/frame.h"
#include "views/lines/targets.h"

namespace attn {

// "paint targets", by hand and ready-made, on one line, or on two where `room` is too narrow. `has_hand`: with the
// button for painting by hand.
void put_target_tools(UiFrame& frame, bool has_hand, float room);

// The button for painting by hand alone, `distance` behind the last item; nothing where `room` is too narrow.
void put_paint_button(Display& display, float distance, float room);

// Sets or takes away a target of these heads in `inputs`. Returns a note that says why it cannot be, or none.
Notes paint_pair(const Shown& shown, Inputs& inputs, const HeadRange& heads, const TargetPair& pair, bool erases);
// The same at once, in the next state.
void paint_pair_now(UiFrame& frame, const HeadRange& heads, const TargetPair& pair, bool erases);

// Whether all of these heads have it in the next state.
bool has_pair(const UiFrame& frame, const HeadRange& heads, const TargetPair& pair);

}  // namespace attn
