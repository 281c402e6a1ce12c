// What a figure consists of as JSON, for the page's canvas.
#pragma once

#include <span>
#include <string>

#include "scene/kit/figure.h"

namespace attn {

// [{"kind": "rect" | "path" | "text", ...}], members that have their default are left out; web/figure.js draws it, and
// its types are in web/types.d.ts.
std::string elements_as_json(std::span<const FigureElement> elements);

}  // namespace attn
