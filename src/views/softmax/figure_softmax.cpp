// view=softmax as a figure: a vector, its softmax, and that of the vector times the gain.
#include "views/softmax/figure_softmax.h"

#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/softmax.h"
#include "playground/text/format.h"
#include "views/softmax/softmax_scene.h"

namespace attn {

Result<Figure> figure_of_softmax(const FigureTask& task) {
    const View& view = task.view();
    FigureWords words;
    words.title = "A vector and its softmax";
    words.subtitle = concat("The same numbers as they are, and times a gain of ", exact_number(view.gain),
                            ": the larger the numbers, the more goes to the largest.");
    const int largest = softmax_of(view.vector, view.gain).largest;
    return finished_figure(task, std::move(words), softmax_scene(task, view, {}, largest));
}

}  // namespace attn
