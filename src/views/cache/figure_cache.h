// view=cache as a figure.
#pragma once

#include "core/ground/result.h"
#include "scene/kit/figure_parts.h"

namespace attn {

// Needs a sentence, and no blank number. Compares the two ways to the end.
Result<Figure> figure_of_cache(const FigureTask& task);

}  // namespace attn
