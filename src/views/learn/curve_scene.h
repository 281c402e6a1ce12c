// The loss curve of view=learn, for paper and for the screen.
#pragma once

#include <optional>
#include <string>

#include "scene/kit/figure_parts.h"
#include "views/learn/loss_curve.h"

namespace attn {

// `bound`: what stands beside the bound's line in the key, bound_in_numbers. `pointed`: a step of the curve that is
// marked, too. Its place "curve" is the room between the axes, from step 0 to the last.
FigureBlock curve_scene(const SceneStyle& style, const LossCurve& curve, const std::string& bound, double width,
                        double height, std::optional<int> pointed);

// The same curve without numbers, for a corner of the screen: steps 0 to `range`, at least 1.
FigureBlock small_curve(const SceneStyle& style, LossCurve curve, int range, double width, double height);

// The step that stands nearest to x, of the place "curve".
int step_at(const LossCurve& curve, const FigureBox& place, double x);

}  // namespace attn
