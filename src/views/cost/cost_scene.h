// The picture of view=cost, for paper and for the screen: each section as a table, formulas with their values.
#pragma once

#include <vector>

#include "scene/kit/figure_parts.h"
#include "views/cost/cost.h"

namespace attn {

// With little room a row's three layouts stand one below another.
FigureBlock cost_scene(const SceneStyle& style, const std::vector<CostSection>& sections, double width);

}  // namespace attn
