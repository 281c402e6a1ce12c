// What the pictures of view=cache share: their width, and text in it.
#pragma once

#include <string_view>
#include <utility>

#include "scene/kit/figure_parts.h"

namespace attn {

inline constexpr double kNarrowCache = 620;  // a narrower picture stands things below each other

class CacheLayout {
protected:
    CacheLayout(const SceneStyle& style, double width) : style_(style), width_(width) {}

    bool is_narrow() const { return width_ < kNarrowCache; }
    static FigureBlock under(FigureBlock above, FigureBlock below, double distance) {
        return stacked_blocks(std::move(above), std::move(below), distance);
    }
    FigureBlock text(std::string_view words, double size, FigureFont font, Rgb ink, double width) const {
        constexpr std::size_t kMostLines = 8;
        return text_block(style_, words, width, {.ink = ink, .size = size, .font = font}, kMostLines);
    }
    FigureBlock soft(std::string_view words, double width) const {
        return text(words, style_.small, FigureFont::sans, style_.colors.soft_ink, width);
    }
    FigureBlock heading(std::string_view words, double width) const {
        return text(words, style_.heading, FigureFont::sans_bold, style_.colors.ink, width);
    }

    const SceneStyle& style_;
    double width_;
};

}  // namespace attn
