// The options of a figure.
#pragma once

#include <optional>

namespace attn {

struct FigureOptions {
    bool is_dark = false;
    bool is_transparent = false;
    bool has_title = true;
    bool has_legend = true;
    std::optional<int> head;  // only this one, from 0; nothing: what the view shows
    bool has_tips = true;     // cells of maps and of numbers say what they stand for (FigureRect::tip): SVG shows it
    double scale = 2;         // PNG: pixels a point, kMinFigureScale to kMaxFigureScale

    bool operator==(const FigureOptions&) const = default;
};

inline constexpr double kMinFigureScale = 0.5;
inline constexpr double kMaxFigureScale = 8;

}  // namespace attn
