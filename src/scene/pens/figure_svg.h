// A figure as SVG 1.1 with real text, fonts by name.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "scene/kit/figure.h"

namespace attn {

// A complete file. Opens in browsers, Inkscape and word processors; needs nothing from elsewhere, runs no script.
std::string figure_as_svg(const Figure& figure);

// The same in pieces.
class SvgWriter {
public:
    explicit SvgWriter(Figure figure);
    // Goes on for some milliseconds. Returns whether all is written.
    bool advance();
    // The file, to be taken once.
    std::string take() { return std::move(svg_); }

private:
    Figure figure_;
    std::size_t next_ = 0;  // of its elements
    std::size_t group_end_ = 0;
    std::string shared_;  // the attributes of that group's elements
    bool has_group_ = false;
    bool is_done_ = false;
    std::string svg_;
};

}  // namespace attn
