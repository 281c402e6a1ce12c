// Lengths, colours and paths as SVG writes them, and the page's canvas reads them.
#pragma once

#include <string>
#include <vector>

#include "scene/kit/colormap.h"
#include "scene/kit/figure.h"

namespace attn {

// At most two decimals, none that are zeros: "12", "0.5", "-3.25".
std::string short_number(double value);

// "#rrggbb"
std::string hex_color(Rgb color);

// "3 -4.5": a blank only where no minus sign separates the two.
std::string point_text(FigurePoint point);

// Absolute commands; level and upright lines in their short form.
std::string path_data(const std::vector<FigurePiece>& pieces);

}  // namespace attn
