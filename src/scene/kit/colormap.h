// Colours of the heat maps and of the heads. Pure functions, no GL: shaders read these maps as a texture, and the
// panels ask them which ink is legible on a cell.
#pragma once

#include <array>

namespace attn {

struct Rgb {
    float r = 0, g = 0, b = 0;  // sRGB, 0 to 1

    bool operator==(const Rgb&) const = default;
};

enum class ColorMap {
    sequential,  // lightness falls (light theme) or rises (dark theme) steadily from 0 to 1
    diverging,   // the paper's colour at 0.5, violet below, orange above
};

// The colour at position t in [0, 1] (clamped; NaN counts as 0).
Rgb map_color(ColorMap map, bool is_dark, float t);

// Where `value` stands between low and high, 0 to 1 (clamped; NaN counts as `low`). low < high.
float map_position(float value, float low, float high);

// CIE L* of a colour, 0 to 100.
double lightness(Rgb color);

// WCAG 2 contrast ratio, 1 to 21.
double contrast(Rgb a, Rgb b);

// Near-black or white ink, whichever has more contrast on `background`; at least 4.5 : 1 on every colour there is.
Rgb ink_on(Rgb background);

// The ink for every colour of a map. Computing it takes a while, so it is looked up in a table of 128 steps.
class InkScale {
public:
    InkScale(ColorMap map, bool is_dark);
    Rgb at(float place) const;  // for the colour at t = place, which must be in [0, 1]: map_position() is

private:
    std::array<Rgb, 128> inks_;
};

// The colour of the page, on which the maps stand.
Rgb paper_color(bool is_dark);

// Eight colours in order, repeating, of which any two differ for all eyes; others for the dark theme. head >= 0.
Rgb head_color(int head, bool is_dark);

}  // namespace attn
