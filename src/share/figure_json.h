// A figure as JSON, for the page's canvas.
#pragma once

#include <string>

#include "share/figure.h"

namespace attn {

// {"width", "height", "ground": "#rrggbb" or null, "title", "elements": [{"kind": "rect" | "path" | "text", ...}]},
// what has its default left out; web/figure.js draws it, and its types are in web/types.d.ts.
std::string figure_as_json(const Figure& figure);

}  // namespace attn
