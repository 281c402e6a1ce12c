// Text in the pictures of view=model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/kit/figure_parts.h"

namespace attn {

inline FigureBlock soft_text(const SceneStyle& style, std::string_view words, double width) {
    constexpr std::size_t kMostLines = 6;
    return text_block(style, words, width, {.ink = style.colors.soft_ink, .size = style.small}, kMostLines);
}
inline FigureBlock heading_text(const SceneStyle& style, std::string_view words, double width) {
    return text_block(style, words, width,
                      {.ink = style.colors.ink, .size = style.heading, .font = FigureFont::sans_bold}, 3);
}

// A weight's colour, and a head's map in a square with hidden cells left out; neighbours of a long text are joined.
Rgb cell_color(const SceneStyle& style, float weight);
void draw_thumb(FigureBlock& block, const SceneStyle& style, const Matrix& weights, FigurePoint at, double side);

// A line of a list of bars: a name, a bar from the zero line, a number at the right end.
struct BarLine {
    std::string name;
    double value = 0;
    std::string number;
    Rgb color;
    bool is_bold = false;
    Rgb ink;
};

// Where the parts of such lines stand.
struct BarColumns {
    double name = 0, bar = 0, number = 0;  // left edges of the first two, right edge of the last
    double low = 0, high = 1;              // values of the bar's ends; low <= 0 <= high, low < high
    double bar_end = 0;
    double line = 18;  // height

    double at(double value) const { return bar + (value - low) / (high - low) * (bar_end - bar); }
};
BarColumns bar_columns(const SceneStyle& style, const std::vector<BarLine>& lines, double width);
// At the top of `block`, moved down by `y`.
void draw_bar_line(FigureBlock& block, const SceneStyle& style, const BarColumns& columns, const BarLine& line,
                   double y);

}  // namespace attn
