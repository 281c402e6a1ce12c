// What each head makes of the visitor's wishes, as a table under a figure.
#pragma once

#include "scene/kit/figure_parts.h"

namespace attn {

// Empty without wishes, or if they would give a blank away.
FigureBlock wish_table(const FigureTask& task);

}  // namespace attn
