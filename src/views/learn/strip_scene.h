// The film strip of view=learn, for paper and for the screen.
#pragma once

#include "scene/kit/figure_parts.h"
#include "views/learn/film_strip.h"

namespace attn {

// The least width of a map, unless all are to share a line.
inline constexpr double kNarrowMap = 92;

// For each head a row of small maps, in as many lines as `width` needs; a map that is not there yet leaves its room.
// `has_tips`: each cell has a tip with its weight. `narrowest`: maps stand side by side as long as each has this width.
FigureBlock strip_scene(const SceneStyle& style, const FilmStrip& strip, const Evaluation& evaluation, double width,
                        bool has_tips, double narrowest = kNarrowMap);

}  // namespace attn
