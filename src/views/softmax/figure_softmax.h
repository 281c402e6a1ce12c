// view=softmax as a figure.
#pragma once

#include "core/ground/result.h"
#include "scene/kit/figure_parts.h"

namespace attn {

// Needs a sentence, and no blank number that the view cannot draw as "?".
Result<Figure> figure_of_softmax(const FigureTask& task);

}  // namespace attn
