// A figure as SVG 1.1 with real text, fonts by name; and as JSON for the page's canvas.
#pragma once

#include <string>

#include "share/figure.h"

namespace attn {

// A complete file. Opens in browsers, Inkscape and word processors; needs nothing from elsewhere, runs no script.
std::string figure_as_svg(const Figure& figure);

// {"width", "height", "ground": "#rrggbb" or null, "title", "elements": [{"kind": "rect" | "path" | "text", ...}]},
// what has its default left out; web/figure.js draws it, and its types are in web/types.d.ts.
std::string figure_as_json(const Figure& figure);

}  // namespace attn
