// A slider: a number between two others on a line, with places of note marked. Pointer and finger move it at once, the
// arrow keys after Enter: an arrow that walks over it changes nothing.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "ui/kit/widgets.h"

namespace attn {

// A value of note: it catches the pointer nearby.
struct SliderMark {
    double value = 0;
    std::string label;
};

// Both ends above 0: the line is logarithmic. From 0 on it is even.
struct SliderScale {
    double low = 1;
    double high = 10;

    bool is_even() const { return low == 0; }
};

// What the visitor did to the number; the caller knows the legal values.
struct SliderEvent {
    std::optional<double> value;  // dragged or clicked to, anywhere between the ends
    int step = 0;                 // by arrow key, while it is held: -1 less, +1 more
};

// At the cursor, `width` wide. Its item is called "slider=" and the link's key.
SliderEvent slider(Canvas& canvas, const std::string& key, double value, const SliderScale& scale,
                   std::span<const SliderMark> marks, float width);
float slider_height(const Look& look);  // with marks; else that of a control

}  // namespace attn
