// Where the controls of a view stand.
#pragma once

#include "ui/frame/layout.h"

namespace attn {

// Whether a view with controls of its own puts them under its picture: on a phone the text of a lesson leaves no room
// for both.
inline bool puts_picture_first(const UiFrame& frame) {
    return frame.layout == LayoutKind::phone && has_lesson(frame);
}

}  // namespace attn
