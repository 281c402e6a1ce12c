// view=model as a figure.
#pragma once

#include <string_view>

#include "core/ground/result.h"
#include "scene/kit/figure_parts.h"
#include "views/model/model_scene.h"

namespace attn {

// Needs an open model with a text; computes it to the end.
Result<Figure> figure_of_model(const FigureTask& task);

// All parts of the picture on one sheet, `width` wide.
FigureBlock model_sheet(const SceneStyle& style, const ModelDrawing& drawing, double width);

// The same as a figure by itself, for those who have a model and no state: with the sentence as its title.
Figure sheet_of_model(const ModelDrawing& drawing, std::string_view sentence, bool is_dark);

}  // namespace attn
