// view=split as a figure: the screen's animation becomes a strip of pictures on paper, one shape below another.
#include "views/split/figure_split.h"

#include <utility>

#include "core/ground/check.h"
#include "playground/text/notes.h"
#include "views/split/split_scene.h"

namespace attn {
namespace {

// The step that led to the shape, the shape itself, the order in memory.
FigureBlock phase_block(const FigureTask& task, const SplitDrawn& drawn, int index) {
    const SplitPhase& phase = drawn.phases[static_cast<std::size_t>(index)];
    const SplitLayout layout;
    const TextLook soft = {.ink = task.colors.soft_ink, .size = kFigureSmall};
    FigureBlock block =
        heading_block(task, std::nullopt, concat(index + 1, "  ", phase.letters, " = ", phase.shape), "", layout.width);
    TextLook code = soft;
    code.font = FigureFont::mono;
    block = stacked_blocks(std::move(block), text_block(phase.code, layout.width, code, 2), 0);
    block = stacked_blocks(std::move(block), text_block(phase.meaning, layout.width, soft, 2), 1);
    return stacked_blocks(std::move(block), split_scene(task, drawn, layout, {.from = index, .to = index}), 8);
}

}  // namespace

Result<Figure> figure_of_split(const FigureTask& task) {
    const TensorId tensor = split_tensor(task.view().stage);
    const Sizes sizes = split_sizes(task.evaluation.sizes, tensor);
    const SplitCut cut = cut_for(sizes);
    const Blanks blanks(task.state);
    const SplitDrawn drawn = {.evaluation = task.evaluation,
                              .blanks = blanks,
                              .tensor = tensor,
                              .phases = split_phases(tensor, batch_size(task.state.inputs), task.evaluation),
                              .sizes = cut.of(sizes),
                              .has_values = task.has_values()};
    FigureBlock picture;
    for (int k = 0; k < kNumPhases; ++k) {
        picture = stacked_blocks(std::move(picture), phase_block(task, drawn, k), 24);
    }
    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle =
        is_merge(tensor)
            ? std::string("How the contexts of the heads become one matrix: three shapes of the same numbers.")
            : concat("How the ", tensor_name(tensor), " are cut into heads: three shapes of the same numbers.");
    if (!cut.is_whole(sizes)) words.remarks.push_back(cut_in_words(cut, sizes));
    std::vector<LegendPiece> legend;
    if (blanks.touches(tensor)) legend.push_back(legend_blank(task));
    return finished_figure(task, std::move(words), std::move(picture), std::move(legend));
}

}  // namespace attn
