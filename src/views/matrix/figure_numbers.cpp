// view=numbers: the stage as tables, four digits a number.
#include "views/matrix/figure_numbers.h"

#include <limits>
#include <utility>

#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "scene/kit/figure_grid.h"
#include "views/lines/figure_targets.h"
#include "views/matrix/figure_matrix.h"
#include "views/stage/figure_stage.h"

namespace attn {
namespace {

FigureBlock head_block(const FigureTask& task, const FigureStage& stage, const GridPiece& piece, int head) {
    const StageRows map = rows_of_map(stage, head, piece.first_row, piece.end_row);
    const Flags changed = changed_cells(task, stage, head);
    const std::optional<Cell> pinned = pinned_cell(task, stage);
    FigureGrid grid{.piece = piece, .cell = {}, .row_label = {}, .column_label = {}};
    grid.row_label = [&](int row) { return row_text(task.evaluation, stage.info.id, row); };
    grid.column_label = [&](int c) { return column_text(task.evaluation, stage.info.id, c); };
    grid.cell = [&](int row, int c) {
        const float value = map.values(row - piece.first_row, c);
        const bool is_blank = map.blank.size() > 0 && map.blank(row - piece.first_row, c) != 0;
        const bool is_hidden = value == -std::numeric_limits<float>::infinity();
        GridCell cell{.text = is_hidden ? hidden_number(stage.info.id) : shown_number(static_cast<double>(value)),
                      .is_soft = is_hidden || is_blank,
                      .tip = {}};
        if (is_blank) cell.text = "?";
        cell.is_bold = pinned && pinned->row == row && pinned->column == c;
        cell.is_changed = changed.size() > 0 && changed(row, c) != 0;
        if (!is_blank && task.options.has_tips) cell.tip = cell_tip(task, stage, head, {row, c}, value);
        return cell;
    };
    if (pinned) {
        grid.lit = grid.framed = Place{pinned->row, pinned->column};
        grid.frame_color = stage.is_by_head() ? task.head(head) : task.colors.accent;
        grid.frame_width = pinned->head == head ? 2.5 : 1.5;
    }
    grid.select = task.view().select;
    grid.targets = target_places(task, stage, head);
    grid.target_color = stage.is_by_head() ? task.head(head) : task.colors.accent;
    grid.column_bands = head_bands(task, stage);
    grid.row_numbers = stage_row_numbers(task, stage, map, 4);
    FigureBlock numbers = grid_block(task, grid);
    FigureBlock heading = stage_heading(task, stage, head, numbers.width);
    return stacked_blocks(std::move(heading), std::move(numbers), 2);
}

}  // namespace

Result<Figure> figure_of_numbers(const FigureTask& task) {
    if (!task.has_values()) return figure_of_matrix(task);  // numbers are switched off: colours, as on the screen
    const FigureStage& stage = *task.stage;
    const std::optional<Cell> pinned = pinned_cell(task, stage);
    const Place center = pinned ? Place{pinned->row, pinned->column} : Place{};
    const GridPiece piece = fit_piece(stage.rows, stage.columns, static_cast<int>(stage.heads.size()), center);
    std::vector<FigureBlock> blocks;
    for (const int head : stage.heads) blocks.push_back(head_block(task, stage, piece, head));
    FigureBlock picture = grid_of_blocks(std::move(blocks), {32, 24});
    picture = stacked_blocks(std::move(picture), target_table(task), 18);

    FigureWords words = figure_words(task, stage);
    const std::string cut = piece_in_words(piece, stage.rows, stage.columns);
    if (!cut.empty()) words.remarks.push_back(cut);
    return finished_figure(task, std::move(words), std::move(picture), stage_legend(task, stage, nullptr, true));
}

}  // namespace attn
