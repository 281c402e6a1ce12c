// view=cost as a figure.
#include "views/cost/figure_cost.h"

#include <utility>

#include "core/ground/check.h"
#include "playground/text/notes.h"
#include "views/cost/cost_scene.h"

namespace attn {

Result<Figure> figure_of_cost(const FigureTask& task) {
    constexpr double kWidth = 860;
    const Sizes& sizes = task.evaluation.sizes;
    const std::vector<CostSection> sections = cost_of(task.state.inputs, sizes);
    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle =
        concat("What attention costs with ", counted(sizes.num_tokens, "token"), ": ", cost_in_words(sections, sizes));
    return finished_figure(task, std::move(words), cost_scene(task, sections, kWidth));
}

}  // namespace attn
