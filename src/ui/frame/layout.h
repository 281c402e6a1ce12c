// Where the panels stand: pure arithmetic on the size of the canvas. Knows no widgets.
#pragma once

#include "ui/frame/frame.h"

namespace attn {

// Of a canvas of this size. A low canvas is no upright phone: it gets columns from a smaller width on.
LayoutKind layout_of(ImVec2 canvas);

// Whether tokens and stages share one line, to leave the picture its room.
bool folds_head(ImVec2 canvas);

// Height of that line.
float folded_height(const Look& look);

// Whether the opening scene is on, which has the canvas for itself.
bool shows_door(const Shown& shown);

// Whether Check me and Share are icons beside the tabs of the views. The same in every view, so that they stay what
// they are.
bool has_icons_beside_tabs(const Look& look);

// Whether a lesson is on, and not hidden.
bool has_lesson(const Shown& shown);

// Whether it stands above the inspector, in the same column: everywhere but on a phone, which has no such column.
bool has_lesson_beside(const Display& display);

// Whether the canvas shows a part: it is not in `hide`, and the page around the canvas does not show it.
bool shows_part(const Shown& shown, const char* part);

// Whether the inspector is shown: views without a stage have no cells to explain, but the editor's numbers show their
// effect there.
bool has_inspector(const Shown& shown);

// Whether the picture's legend is shown: a phone with a lesson and a very low canvas need its room.
bool shows_legend(const Display& display);

// Whether cells of the maps are painted by hand, with the tool that stays on.
bool is_painting_cells(const Display& display);

// Whether a small canvas has little height left for the picture: a lesson's text takes it, or there is not more.
bool lacks_height(const Display& display);

// Whether a lesson that trains leaves the picture so little height that speed, actions and the choices above the maps
// stand among the settings.
bool saves_height(const Display& display);

// Whether the view Learning says that there is nothing to learn, and how to begin: then no other panel says it.
bool tells_nothing_to_learn(const Shown& shown);

// Whether a lesson's text also takes the room of the buttons above the picture; they come back when the visitor folds
// it.
bool lesson_takes_buttons(const Display& display);

// The columns under the stage strip; width 0: no such column (hidden, in a drawer, or in a sheet).
struct Columns {
    float settings = 0;
    float heads = 0;
    float inspector = 0;
};
Columns columns_of(const Display& display, float width);

// What a view without an inspector has in its place: the picture's column is so much wider. 0 where it has none to
// give.
float room_of_inspector(const Display& display);

// Visible height of the inspector in a phone's closed sheet: its head, without the grip.
float sheet_head_height(const Shown& shown);

}  // namespace attn
