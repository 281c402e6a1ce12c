// Where the controls of a view stand.
#pragma once

#include "ui/frame/layout.h"

namespace attn {

// Whether a view puts its own controls below its picture: on a phone a lesson's text leaves no room for both.
inline bool puts_picture_first(const UiFrame& frame) {
    return frame.layout == LayoutKind::phone && has_lesson(frame);
}

}  // namespace attn
