#include "ui/layout.h"

#include <algorithm>

#include "playground/hiding.h"
#include "ui/views.h"

namespace attn {

LayoutKind layout_of(float width) {
    // From here on the buttons above the picture fit beside two columns, and beside one.
    if (width >= 980) return LayoutKind::wide;
    return width >= 680 ? LayoutKind::narrow : LayoutKind::phone;
}

bool shows_part(const UiFrame& frame, const char* part) {
    return !hides_part(frame.state.view, part);
}

bool has_inspector(const UiFrame& frame) {
    const ViewKind view = frame.state.view.view;
    return shows_part(frame, "inspector") && (view_info(view).is_of_stage || view == ViewKind::edit);
}

Columns columns_of(const UiFrame& frame, float width) {
    constexpr float kSettings = 252;
    constexpr float kInspector = 300;
    Columns columns;
    if (frame.layout == LayoutKind::wide && shows_part(frame, "settings")) columns.settings = kSettings;
    if (frame.layout != LayoutKind::phone && has_inspector(frame)) {
        columns.inspector = std::clamp(width * 0.36F, 240.0F, kInspector);
    }
    columns.heads = width - columns.settings - columns.inspector;
    return columns;
}

float sheet_height(const UiFrame& frame, float body, bool is_open) {
    constexpr float kHead = 80;      // grip, heading and number
    constexpr float kHintHead = 60;  // grip and one line
    if (is_open) return body * 0.7F;
    return frame.state.view.cell ? kHead : kHintHead;
}

}  // namespace attn
