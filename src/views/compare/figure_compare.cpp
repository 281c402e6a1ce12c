// view=compare: the shown state A, another state B, and A - B.
#include "views/compare/figure_compare.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/link/blanks.h"
#include "playground/link/other_link.h"
#include "playground/numbers/stage_labels.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"
#include "views/compare/compare_words.h"
#include "views/stage/figure_stage.h"

namespace attn {
namespace {

struct ComparePicture {
    const FigureTask& task;
    const Compared& compared;
    std::vector<const Matrix*> matrices;
};

std::vector<std::string> labels_of(const ComparePicture& picture, std::size_t k, bool is_column) {
    std::vector<std::string> labels;
    for (int i = 0; i < length(*picture.matrices[k], is_column ? 1 : 0); ++i) {
        labels.push_back(picture.compared.label(k, is_column, i));
    }
    return labels;
}

std::optional<Place> pinned_of(const ComparePicture& picture) {
    const std::optional<Cell>& cell = picture.task.view().cell;
    return cell ? std::optional(Place{cell->row, cell->column}) : std::nullopt;
}

FigureBlock draw_map(const ComparePicture& picture, const MapGrid& grid, const MapAxes& axes, std::size_t k) {
    const FigureTask& task = picture.task;
    const Compared& compared = picture.compared;
    const Matrix& matrix = *picture.matrices[k];
    FigureMap map{.values = matrix, .grid = grid, .axes = axes};
    map.map = compared.colors(k);
    map.range = compared.range(k);
    map.row_labels = labels_of(picture, k, false);
    map.column_labels = labels_of(picture, k, true);
    map.prints_values = task.has_values();
    map.tip = [&](int row, int column) {
        const Place place = {row, column};
        const std::string number = task.has_values() ? concat(": ", compared_value(matrix, place)) : "";
        return concat(compared_name(k), " · ", compared.cell_in_words(k, place), number);
    };
    if (lies_in(matrix, pinned_of(picture))) map.lit = map.framed = pinned_of(picture);
    map.frame_color = task.colors.ink;
    FigureBlock block = map_block(task, map);
    // A difference of 0 has the colour of the paper.
    if (k == 2) {
        draw_frame(block, {axes.left - 0.5, axes.top - 0.5}, map.grid.width() + 1, map.grid.height() + 1,
                   task.colors.line, 1, 2);
    }
    const std::optional<Rgb> color = compared.has_head(k) ? std::optional(task.head(compared.head(k))) : std::nullopt;
    FigureBlock heading = heading_block(task, color, compared.title(k), "", block.width);
    return stacked_blocks(std::move(heading), std::move(block), 2);
}

// The cell sizes of the maps: one size if the maps can be subtracted, else each map its own.
std::vector<MapGrid> grids_of(const ComparePicture& picture) {
    std::vector<MapGrid> grids;
    for (const Matrix* matrix : picture.matrices) {
        grids.push_back(fit_map(length(*matrix, 0), length(*matrix, 1), static_cast<int>(picture.matrices.size()),
                                picture.compared.has_keys()));
    }
    return grids;
}

FigureBlock draw_maps(const ComparePicture& picture, const std::vector<MapGrid>& grids) {
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    const auto append = [](std::vector<std::string>& list, std::vector<std::string> more) {
        list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    };
    for (std::size_t k = 0; k < picture.matrices.size(); ++k) {
        append(rows, labels_of(picture, k, false));
        append(columns, labels_of(picture, k, true));
    }
    std::vector<FigureBlock> blocks;
    for (std::size_t k = 0; k < picture.matrices.size(); ++k) {
        // All maps leave room for the longest label.
        blocks.push_back(
            draw_map(picture, grids[k], measure_axes(rows, columns, grids[k], picture.compared.has_keys()), k));
    }
    return grid_of_blocks(std::move(blocks), {24, 20});
}

std::vector<LegendPiece> legend_of(const ComparePicture& picture) {
    const FigureTask& task = picture.task;
    const Compared& compared = picture.compared;
    const auto colors = [&](std::size_t k, std::string_view name) {
        const StageRange range = compared.range(k);
        return legend_colors(task, compared.colors(k), concat(name, ": ", range_end_text(range.low)),
                             concat(range_end_text(range.high), compared.is_cut(k) ? " and more" : ""));
    };
    std::vector<LegendPiece> pieces;
    pieces.push_back(colors(0, "A and B"));
    if (picture.matrices.size() == 3 && compared.comparison.largest > 0) pieces.push_back(colors(2, "A − B"));
    const auto is_hidden = [](float value) { return value == -std::numeric_limits<float>::infinity(); };
    const auto has_hidden = [&](const Matrix* matrix) {
        return std::any_of(elements(*matrix).begin(), elements(*matrix).end(), is_hidden);
    };
    if (std::any_of(picture.matrices.begin(), picture.matrices.end(), has_hidden)) {
        pieces.push_back(legend_hidden(task, "hidden key: masked"));
    }
    return pieces;
}

}  // namespace

Result<Figure> figure_of_compare(const FigureTask& task) {
    const TensorId stage = task.view().stage;
    if (task.evaluator.other() == nullptr) {
        return Result<Figure>::failure("There is nothing to compare yet: choose a B first.");
    }
    if (Blanks(task.state).touches(stage)) {
        return Result<Figure>::failure(concat("There is no figure of the comparison while ", tensor_name(stage),
                                              " are left blank: it would give them away."));
    }
    const PlaygroundState& other = *task.evaluator.other_state();
    const Evaluation& b = *task.evaluator.other();
    const StageInfo& info = stage_info(stage);
    int head_a = 0;
    int head_b = 0;
    if (info.has_heads) {
        const int last = task.evaluation.sizes.num_heads - 1;
        head_a = std::clamp(task.options.head.value_or(compared_head(task.state)), 0, last);
        head_b = compared_head(other);
    }
    const Comparison comparison = compare(task.evaluation, b, stage, head_a, head_b);
    const Compared compared = {.a = task.evaluation,
                               .b = b,
                               .info = info,
                               .comparison = comparison,
                               .head_a = head_a,
                               .head_b = head_b,
                               .stage_range = task.stage->range};
    const ComparePicture picture = {.task = task, .compared = compared, .matrices = compared.matrices()};

    FigureWords words;
    words.title = concat("A: ", quoted_sentence(task));
    words.subtitle = concat(other_in_words(task.state, other), " · ", info.title, " ", info.symbol, ": ",
                            stage_words(stage, layer_parts(task.state.inputs), task.state.inputs.goal).formula);
    const std::vector<MapGrid> grids = grids_of(picture);
    for (const MapGrid& grid : grids) {
        const std::string reduced = reduction_in_words(grid);
        const bool is_new = words.remarks.empty() || words.remarks.back() != reduced;
        if (!reduced.empty() && is_new) words.remarks.push_back(reduced);
    }
    const std::string result = comparison_in_words(comparison);
    words.description = result;

    FigureBlock maps = draw_maps(picture, grids);
    FigureBlock text;
    if (task.has_values()) {
        const double width = std::max(maps.width, 400.0);
        text = text_block(result, width,
                          {.ink = task.colors.ink, .size = kFigureHeading, .font = FigureFont::sans_bold}, 3);
        text = stacked_blocks(
            std::move(text),
            text_block(compared.place_in_words(pinned_of(picture)), width, {.ink = task.colors.ink}, 3), 3);
    }
    return finished_figure(task, std::move(words), stacked_blocks(std::move(text), std::move(maps), 12),
                           legend_of(picture));
}

}  // namespace attn
