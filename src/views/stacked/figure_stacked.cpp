// view=stacked as a figure: the cells of its matrices, and its legend.
#include "views/stacked/figure_stacked.h"

#include <utility>

#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "views/stacked/stacked_scene.h"

namespace attn {
namespace {

StageRange range_of(const HeadBlock& block) {
    const float high = block.largest > 0 ? block.largest : 1;
    return {-high, high};
}

std::string tip_of(const FigureTask& task, const HeadBlock& block, int row, int column) {
    const std::string where = block.has_tokens ? token_text(task.evaluation, row) : concat("row ", row);
    return concat(block.name, " · ", where, " · head ", block.head_of(column) + 1, " · column ",
                  block.first_column + column, ": ", shown_number(static_cast<double>(block.values(row, column))));
}

FigureBlock cells_block(const FigureTask& task, const HeadBlock& matrix, const MapGrid& grid, const Blanks& blanks) {
    FigureMap map{.values = matrix.values, .grid = grid};
    map.axes.top = kStackedBand;
    map.map = ColorMap::diverging;
    map.range = range_of(matrix);
    map.prints_values = task.has_values();
    map.blank = stacked_blanks(blanks, matrix);
    map.tip = [&](int row, int column) { return tip_of(task, matrix, row, column); };
    for (int c = 0; c < grid.columns; ++c) {
        const bool is_new = map.bands.empty() || matrix.head_of(c) != matrix.head_of(c - 1);
        if (is_new) map.bands.push_back({c, c, task.head(matrix.head_of(c))});
        map.bands.back().end = c + 1;
    }
    return map_block(task, map);
}

}  // namespace

Result<Figure> figure_of_stacked(const FigureTask& task) {
    const Sizes& sizes = task.evaluation.sizes;
    const StackedPicture& stacked = *task.stacked;
    const Blanks blanks(task.state);
    const StackedLayout layout;
    FigureBlock picture = stacked_scene(
        task, stacked, sizes, layout,
        [&](const HeadBlock& matrix, const MapGrid& grid) { return cells_block(task, matrix, grid, blanks); });
    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle = concat("One by one or cut from one matrix: ", stacked_in_words(stacked.stacked), ".");
    words.remarks = stacked_omissions(stacked, sizes);
    for (std::string& words_of_one : stacked_reductions(stacked, layout)) {
        words.remarks.push_back(std::move(words_of_one));
    }
    std::vector<LegendPiece> legend;
    for (const HeadBlock* block : {&stacked.whole.front(), &stacked.whole.back()}) {
        if (block->stage && blanks.touches(*block->stage)) continue;  // the largest number may be blank
        const StageRange range = range_of(*block);
        legend.push_back(legend_text(task, block->is_result ? "contexts" : block->has_tokens ? "X" : "matrices"));
        legend.push_back(
            legend_colors(task, ColorMap::diverging, range_end_text(range.low), range_end_text(range.high)));
        legend.back().distance = 10;
    }
    if (blanks.touches(TensorId::context)) legend.push_back(legend_blank(task));
    return finished_figure(task, std::move(words), std::move(picture), std::move(legend));
}

}  // namespace attn
