// view=door of a state, computed at once: as a figure, as tables, for the ear.
#pragma once

#include <string>
#include <vector>

#include "core/ground/result.h"
#include "playground/numbers/evaluation.h"
#include "playground/text/text_table.h"
#include "scene/kit/figure_parts.h"
#include "views/door/door_picture.h"

namespace attn {

// A drawing and what it is of.
struct ComputedDoor {
    std::optional<ComputedModel> model;
    DoorDrawing drawing;
};
// Of an evaluation with tokens.
ComputedDoor compute_door(const PlaygroundState& state, const Evaluation& evaluation);

Result<Figure> figure_of_door(const FigureTask& task);
std::vector<TextTable> tables_of_door(const PlaygroundState& state, const Evaluator& evaluator);
std::string announcement_of_door(const PlaygroundState& state, const Evaluation& evaluation);

}  // namespace attn
