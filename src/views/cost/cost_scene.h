// The picture of view=cost, for paper and for the screen: each section as a table, formulas with the values put in.
#pragma once

#include <vector>

#include "scene/kit/figure_parts.h"
#include "views/cost/cost.h"

namespace attn {

// Where there is little room the three layouts of a row stand under each other.
FigureBlock cost_scene(const SceneStyle& style, const std::vector<CostSection>& sections, double width);

}  // namespace attn
