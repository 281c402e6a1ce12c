// Targets on paper: their cells in a map, and under it how much each head does of what it is asked.
#pragma once

#include <vector>

#include "scene/kit/figure_parts.h"
#include "scene/kit/place.h"
#include "views/stage/stage_shape.h"

namespace attn {

// The cells of a map that have a dashed frame: what its head is asked, or any head where they are put together. None in
// stages without keys.
std::vector<Place> target_places(const FigureTask& task, const StageShape& stage, int head);

// Empty without targets, or where they would tell what is blank.
FigureBlock target_table(const FigureTask& task);

}  // namespace attn
