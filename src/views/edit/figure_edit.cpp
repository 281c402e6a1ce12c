// view=edit: the edited matrix as a table.
#include "views/edit/figure_edit.h"

#include <utility>

#include "core/ground/check.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "scene/kit/figure_grid.h"
#include "views/edit/edit_table.h"
#include "views/edit/edit_text.h"
#include "views/stage/figure_stage.h"

namespace attn {
namespace {

GridCell cell_of(const FigureTask& task, TensorId tensor, int row, int c) {
    const bool is_mask = tensor == TensorId::mask;
    const float value = number_at(task.evaluation, tensor, row, c);
    const bool is_typed = is_typed_over(task.state, tensor, row, c);
    const bool is_hidden_key = is_mask && value != 0;
    GridCell cell{.text = is_mask ? concat(value) : shown_number(static_cast<double>(value)),
                  .is_soft = is_mask && !is_hidden_key && !is_typed,
                  .is_bold = is_typed,
                  .is_marked = is_typed,
                  .is_filled = is_hidden_key,
                  .tip = {}};
    const int sentence = is_of_sentence(tensor) ? task.view().sentence : 0;
    cell.tip = concat(cell_name({.tensor = tensor, .sentence = sentence, .row = row, .column = c, .value = 0}), " = ",
                      cell.text);
    const Evaluation* before = task.evaluator.unedited();
    if (is_typed && before != nullptr) {
        const float was = number_at(*before, tensor, row, c);
        cell.tip += concat(" · was ", is_mask ? concat(was) : shown_number(static_cast<double>(was)));
    }
    return cell;
}

}  // namespace

Result<Figure> figure_of_edit(const FigureTask& task) {
    const TensorId tensor = task.view().tensor;
    const Extent extent = table_extent(task.evaluation, tensor);
    const std::string name(tensor_name(tensor));
    if (extent.rows == 0) {
        return Result<Figure>::failure(
            concat("There is no figure of ", name, ": ", why_absent(task.state.inputs, tensor), "."));
    }
    FigureGrid grid{.piece = fit_piece(extent.rows, extent.columns, 1, {}),
                    .cell = [&](int row, int c) { return cell_of(task, tensor, row, c); },
                    .row_label = [&](int row) { return table_row_label(task.evaluation, tensor, row); },
                    .column_label = [&](int c) { return table_column_label(task.evaluation, tensor, c); }};
    grid.has_upright_lines = true;
    if (has_head_columns(tensor)) grid.column_bands = head_bands(task, tensor, extent.columns);
    if (has_head_rows(tensor)) grid.row_bands = head_bands(task, tensor, extent.rows);

    FigureWords words;
    words.title = concat(name, " (", extent.rows, ", ", extent.columns, ")");
    words.subtitle = std::string(table_meaning(tensor));
    if (is_of_sentence(tensor)) words.subtitle += concat(" · ", quoted_sentence(task));
    const std::string cut = piece_in_words(grid.piece, extent.rows, extent.columns);
    if (!cut.empty()) words.remarks.push_back(cut);

    std::vector<LegendPiece> legend;
    const int num_typed = count_typed_over(task.state, tensor);
    if (num_typed > 0) {
        LegendPiece dot{.block = {}};
        draw_circle(dot.block, {2.5, kLegendLine / 2}, 2.5, {.fill = task.colors.accent});
        place_block(dot.block, legend_text(task, concat("typed over: ", counted(num_typed, "number"))).block, {11, 0});
        legend.push_back(std::move(dot));
    }
    if (has_head_columns(tensor) || has_head_rows(tensor)) {
        legend.push_back(legend_text(task, "coloured lines: the heads"));
    }
    return finished_figure(task, std::move(words), grid_block(task, grid), std::move(legend));
}

}  // namespace attn
