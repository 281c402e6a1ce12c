// Targets on paper: dashed cells in a map and, below it, how well each head meets them.
#pragma once

#include <vector>

#include "scene/kit/figure_parts.h"
#include "scene/kit/place.h"
#include "views/stage/shown_stage.h"

namespace attn {

// The cells with a dashed frame: the targets of the map's head, or of any head if heads are combined. None in stages
// without keys.
std::vector<Place> target_places(const FigureTask& task, const ShownStage& stage, int head);

// Empty without targets, or if they would give a blank away.
FigureBlock target_table(const FigureTask& task);

}  // namespace attn
