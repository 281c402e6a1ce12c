// Colours of the heat maps and of the heads. Pure functions, no GL: shaders read these maps as a texture, and the panels ask
// them which ink is legible on a cell.
#pragma once

#include <vector>

namespace attn {

struct Rgb {
    float r = 0, g = 0, b = 0;  // sRGB, 0 to 1
};

enum class ColorMap {
    sequential,  // lightness falls (light theme) or rises (dark theme) steadily from 0 to 1
    diverging,   // the paper's colour at 0.5, blue below, orange-red above
};

// The colour at position t in [0, 1] (clamped).
Rgb map_color(ColorMap map, bool is_dark, float t);

// CIE L* of a colour, 0 to 100.
double lightness(Rgb color);

// WCAG 2 contrast ratio, 1 to 21.
double contrast(Rgb a, Rgb b);

// Near-black or near-white ink, whichever has more contrast on `background`; at least 4.5 : 1 on every map colour.
Rgb ink_on(Rgb background);

// Okabe and Ito's colour-blind-safe colours, in order, repeating; lightened for the dark theme.
Rgb head_color(int head, bool is_dark);

}  // namespace attn
