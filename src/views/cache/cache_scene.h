// The picture of view=cache, for paper and for the screen: both ways side by side, the new row in numbers, the counts,
// the memory meter.
#pragma once

#include "playground/cache/cache_run.h"
#include "scene/kit/figure_parts.h"

namespace attn {

// What is drawn. `run` is null, or not done, while the ways are still being computed.
struct CachePicture {
    const Inputs& inputs;
    const View& view;
    const Evaluation& evaluation;
    const CacheRun* run = nullptr;
};

// All but the memory meter. With little room the two ways stand one below the other. Tokens that come later have their
// room from the start, so that nothing moves from step to step.
FigureBlock cache_scene(const SceneStyle& style, const CachePicture& picture, double width);

}  // namespace attn
