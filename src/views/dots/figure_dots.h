// view=dots as a figure.
#pragma once

#include "core/ground/result.h"
#include "scene/kit/figure_parts.h"

namespace attn {

// The sentence is not empty, and nothing is blank that the view could not draw as "?".
Result<Figure> figure_of_dots(const FigureTask& task);

}  // namespace attn
