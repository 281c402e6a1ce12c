// The picture of a model and a text as a figure.
#pragma once

#include <string_view>

#include "scene/kit/figure_parts.h"
#include "views/model/model_scene.h"

namespace attn {

// All parts of the picture on one sheet, `width` wide.
FigureBlock model_sheet(const SceneStyle& style, const ModelDrawing& drawing, double width);

// The same as a figure by itself, for those who have a model and no state: with the sentence as its title.
Figure sheet_of_model(const ModelDrawing& drawing, std::string_view sentence, bool is_dark);

}  // namespace attn
