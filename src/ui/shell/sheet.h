// How a phone's sheet moves: it follows a finger from anywhere in it, and settles closed, half open or open. Knows
// nothing of its content.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// How high the resting sheet's upper edge is above the bottom of the body, in points.
struct SheetStops {
    float closed = 0, half = 0, open = 0;

    float at(SheetStop stop) const;
};

// How high the edge stands in this frame: moves it on towards its stop, at once under reduced motion.
float sheet_edge(Display& display, const SheetStops& stops);

// The grip, across the sheet, with the cursor under it afterwards: a drag moves the sheet, a tap or Enter opens it by
// half or closes it. Undo and redo stand at its right end if there is something to undo or redo. Returns whether it is
// being dragged.
bool put_grip(UiFrame& frame, const SheetStops& stops, float width);

// Whether a phone shows undo and redo beside the picture: where there is something to undo or redo. The editor has its
// own.
bool has_undo(const UiFrame& frame);

// How high the grip is.
float grip_height(const UiFrame& frame);

// Call it at the end of the scrolling child that fills the sheet, in place of scroll_by_finger: a finger that
// drags upwards opens the sheet before it scrolls the child, one that drags downwards scrolls back to the top first.
void move_sheet_by_finger(Display& display, const SheetStops& stops);

}  // namespace attn
