// view=cache as a figure.
#include "views/cache/figure_cache.h"

#include <limits>
#include <utility>

#include "playground/text/notes.h"
#include "scene/kit/figure_parts.h"
#include "views/cache/cache_meter.h"
#include "views/cache/cache_scene.h"
#include "views/cache/cache_text.h"

namespace attn {

Result<Figure> figure_of_cache(const FigureTask& task) {
    constexpr double kWidth = 860;
    const CacheSplit split = cache_split(task.view(), task.evaluation.sizes.num_tokens);
    CacheRun run(task.evaluation, split);
    while (!run.advance(task.evaluation, std::numeric_limits<std::int64_t>::max())) continue;
    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle = cache_step_in_words(split, task.evaluation);
    words.description = cache_verdict(run, task.evaluation);
    const CachePicture picture = {task.state.inputs, task.view(), task.evaluation, &run};
    return finished_figure(
        task, std::move(words),
        stacked_blocks(cache_scene(task, picture, kWidth),
                       cache_meter(task, task.state.inputs, task.evaluation.sizes, task.view(), kWidth), 20));
}

}  // namespace attn
