// view=learn as a figure.
#pragma once

#include "core/ground/result.h"
#include "scene/kit/figure_parts.h"

namespace attn {

// The sentence is not empty. Without a goal there is no figure, and the error says so.
Result<Figure> figure_of_learn(const FigureTask& task);

}  // namespace attn
