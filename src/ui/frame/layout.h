// Where the panels stand: pure arithmetic on the size of the canvas. Knows no widgets.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Of a canvas of this size. A low one is no phone's upright: it has columns from a smaller width on.
LayoutKind layout_of(ImVec2 canvas);

// Whether tokens and stages share one line, so that the picture keeps its room.
bool folds_head(ImVec2 canvas);

// Height of that line.
float folded_height(const UiFrame& frame);

// Whether a lesson is on, and not hidden.
bool has_lesson(const UiFrame& frame);

// Whether it stands in the column of the inspector, above it, and not under the picture.
bool has_lesson_beside(const UiFrame& frame);

// Whether a part is shown: not in `hide`, and not brought by the page around the canvas.
bool shows_part(const UiFrame& frame, const char* part);

// Whether the inspector is shown: views that are not of a stage have no cells to explain, but the editor has numbers
// whose effect can be watched there.
bool has_inspector(const UiFrame& frame);

// Whether the picture's legend is shown: a phone with a lesson and a very low canvas need its room.
bool shows_legend(const UiFrame& frame);

// Whether a lesson's text takes the room of the buttons above the picture too; they come back when it is folded.
bool lesson_takes_buttons(const UiFrame& frame);

// The columns under the stage strip; a width of 0 is a panel that is not there (hidden, in a drawer, or a sheet).
struct Columns {
    float settings = 0;
    float heads = 0;
    float inspector = 0;
};
Columns columns_of(const UiFrame& frame, float width);

// Height of what is seen of the inspector in the closed sheet of a phone: its head, without the grip.
float sheet_head_height(const UiFrame& frame);

}  // namespace attn
