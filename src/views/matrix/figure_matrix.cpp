// view=matrix: the heat maps of all heads, of one, or of all together.
#include "views/matrix/figure_matrix.h"

#include <utility>

#include "views/lines/figure_targets.h"
#include "views/stage/figure_stage.h"

namespace attn {
namespace {

constexpr double kLowestStatRow = 11;  // in lower rows numbers would overlap

// What all maps share.
struct Labels {
    std::vector<std::string> rows, columns;
    MapAxes axes;
};

Labels labels_of(const FigureTask& task, const FigureStage& stage) {
    Labels labels{.rows = stage_row_labels(task, stage), .columns = stage_column_labels(task, stage), .axes = {}};
    labels.axes = measure_axes(labels.rows, labels.columns, stage.grid, stage.has_keys());
    return labels;
}

// `place` in the stage's heads.
FigureMap make_map(const FigureTask& task, const FigureStage& stage, const Labels& labels, std::size_t place) {
    const int head = stage.heads[place];
    const MapGrid& grid = stage.grid;
    const bool has_row_numbers = grid.cell_height >= kLowestStatRow;
    FigureMap map{.values = {}, .grid = grid};
    StageRows values;
    if (grid.has_gaps || has_row_numbers) values = rows_of_map(stage, head, 0, stage.rows);
    if (!grid.has_gaps) map.reduced = stage.reduced[place];
    map.map = stage.map();
    map.range = stage.range;
    map.row_labels = labels.rows;
    map.column_labels = labels.columns;
    map.axes = labels.axes;
    map.prints_values = task.has_values();
    if (grid.has_gaps) map.changed = changed_cells(task, stage, head);
    map.bands = head_bands(task, stage);
    map.select = task.view().select;
    map.targets = target_places(task, stage, head);
    map.target_color = stage.is_by_head() ? task.head(head) : task.colors.accent;
    if (has_row_numbers) map.row_numbers = stage_row_numbers(task, stage, values, 3);
    if (const std::optional<Cell> pinned = pinned_cell(task, stage)) {
        map.lit = map.framed = Place{pinned->row, pinned->column};
        map.frame_color = stage.is_by_head() ? task.head(head) : task.colors.accent;
        map.frame_width = pinned->head == head ? 2.5 : 1.5;
    }
    map.blank = std::move(values.blank);
    map.values = std::move(values.values);
    return map;
}

FigureBlock head_block(const FigureTask& task, const FigureStage& stage, const Labels& labels, std::size_t place) {
    const int head = stage.heads[place];
    FigureMap map = make_map(task, stage, labels, place);
    map.tip = [&](int row, int column) { return cell_tip(task, stage, head, {row, column}, map.values(row, column)); };
    FigureBlock cells = map_block(task, map);
    FigureBlock heading = stage_heading(task, stage, head, cells.width);
    return stacked_blocks(std::move(heading), std::move(cells), 2);
}

}  // namespace

Result<Figure> figure_of_matrix(const FigureTask& task) {
    const FigureStage& stage = *task.stage;
    const MapGrid& grid = stage.grid;
    const Labels labels = labels_of(task, stage);
    std::vector<FigureBlock> blocks;
    for (std::size_t place = 0; place < stage.heads.size(); ++place) {
        blocks.push_back(head_block(task, stage, labels, place));
    }
    FigureBlock picture = grid_of_blocks(std::move(blocks), {24, 20});
    picture = stacked_blocks(std::move(picture), target_table(task), 18);

    FigureWords words = figure_words(task, stage);
    if (const std::string reduced = reduction_in_words(grid); !reduced.empty()) words.remarks.push_back(reduced);
    return finished_figure(task, std::move(words), std::move(picture),
                           stage_legend(task, stage, &grid, grid.cell_height >= kLowestStatRow));
}

}  // namespace attn
