// What stands where on the screen, as JSON: for tests that drive the program from outside.
#pragma once

#include <span>
#include <string>

#include "ui/frame/canvas.h"

namespace attn {

// [{"name": "heads+", "x0": 10, "y0": 20, "x1": 30, "y1": 40, "is_clipped": false}, ...], in points from the canvas's
// top left corner.
std::string items_as_json(std::span<const UiItem> items);

}  // namespace attn
