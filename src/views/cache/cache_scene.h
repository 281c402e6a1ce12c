// The picture of view=cache, for paper and for the screen: both ways side by side, the new row in numbers, the counts,
// the memory meter.
#pragma once

#include <vector>

#include "playground/cache/cache_run.h"
#include "playground/text/text_table.h"
#include "scene/kit/figure_parts.h"

namespace attn {

// What is drawn. `run` is null, or not done, while the ways are still being computed.
struct CachePicture {
    const Inputs& inputs;
    const View& view;
    const Evaluation& evaluation;
    const CacheRun* run = nullptr;
};

// "Prefill: the 4 tokens of the prompt at once." or "Step 2 of 7: “portrait” alone."
std::string cache_step_in_words(const CacheSplit& split, const Evaluation& evaluation);

// All but the memory meter. With little room the two ways stand one below the other. Tokens that come later have their
// room from the start, so that nothing moves from step to step.
FigureBlock cache_scene(const SceneStyle& style, const CachePicture& picture, double width);

// What a screen reader says of the view: the step, and what the two ways gave.
std::string announcement_of_cache(const PlaygroundState& state, const Evaluation& evaluation);

std::vector<TextTable> tables_of_cache(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
