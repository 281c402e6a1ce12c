// How this frame looks: colours, fonts and sizes for the canvas and the hand that holds it. A frame never changes it.
#pragma once

#include "ui/look/fonts.h"
#include "ui/look/theme.h"

namespace attn {

enum class LayoutKind { wide, narrow, phone };  // see layout_of

struct Look {
    const Palette& palette;
    const Fonts& fonts;
    LayoutKind layout;
    bool is_folded;       // a phone or a low canvas: what stands above the picture is one line
    bool is_touch;        // the last input was a finger: larger targets
    bool reduces_motion;  // the system asks for it

    // A phone, upright or on its side, or a window at 200 %: shows one head at a time, and no button twice.
    bool is_small() const { return layout == LayoutKind::phone || (is_folded && layout == LayoutKind::narrow); }
};

}  // namespace attn
