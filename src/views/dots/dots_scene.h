// The pictures of view=dots, for paper and for the screen: variances against d, and histograms for one d.
#pragma once

#include "scene/kit/figure_parts.h"
#include "views/dots/dot_experiment.h"

namespace attn {

// For the pairs drawn so far, at least 2. `height`: of the plot below its key.
FigureBlock variance_scene(const SceneStyle& style, const DotExperiment& pairs, double width, double height);

// Three side by side, or one below another if there is little room.
FigureBlock histograms_scene(const SceneStyle& style, const DotExperiment& pairs, double width);

}  // namespace attn
