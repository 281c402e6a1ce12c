// Where the panels stand: pure arithmetic on the size of the canvas. Knows no widgets.
#pragma once

#include "ui/ui.h"

namespace attn {

// Of a canvas so many points wide.
LayoutKind layout_of(float width);

// Whether a part is shown: not in `hide`, and not brought by the page around the canvas.
bool shows_part(const UiFrame& frame, const char* part);

// Whether the inspector is shown: views that are not of a stage have no cells to explain, but the editor has numbers
// whose effect can be watched there.
bool has_inspector(const UiFrame& frame);

// The columns under the stage strip; a width of 0 is a panel that is not there (hidden, in a drawer, or a sheet).
struct Columns {
    float settings = 0;
    float heads = 0;
    float inspector = 0;
};
Columns columns_of(const UiFrame& frame, float width);

// Height of the sheet that holds the inspector on a phone, over a body of height `body`; closed, its head alone is
// seen.
float sheet_height(const UiFrame& frame, float body, bool is_open);

}  // namespace attn
