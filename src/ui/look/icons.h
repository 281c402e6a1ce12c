// The few pictograms, drawn as lines: no font has to bring them, and they are crisp at every device scale.
#pragma once

#include <imgui.h>

namespace attn {

enum class Icon {
    minus,
    plus,
    again,
    close,
    sun,
    moon,
    settings,
    left,
    right,
    up,
    down,
    arrow,
    undo,
    redo,
    share,
    lock,
    tick,
    play,
    pause,
    first,
    sheet
};

// Draws the icon into a square of `size` around `center`, on the current window's draw list.
void draw_icon(Icon icon, ImVec2 center, float size, ImU32 color);

// The program's sign: four cells, one of them in the second head's colour.
void draw_logo(ImVec2 min, float size, bool is_dark, ImU32 line);

}  // namespace attn
