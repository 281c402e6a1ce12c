// Moves the pinned cell in the next state's view.
#include "ui/frame/pins.h"

namespace attn {

void pin_token(View& view, int token) {
    const StageInfo& info = stage_info(view.stage);
    if (info.rows != Axis::token) return;  // its rows are no tokens
    if (view.cell && view.cell->row == token) {
        view.cell.reset();
        return;
    }
    int head = 0;
    if (info.has_heads) head = view.cell ? view.cell->head : view.head.value_or(0);
    view.cell = Cell{.head = head, .row = token, .column = info.columns == Axis::key_token ? token : 0};
}

void choose_stage(View& view, TensorId stage) {
    const StageInfo& before = stage_info(view.stage);
    const StageInfo& after = stage_info(stage);
    view.stage = stage;
    if (before.rows != after.rows || (before.rows == Axis::channel && before.id != after.id)) view.cell.reset();
    if (!view.cell) return;
    if (before.columns != after.columns) view.cell->column = after.columns == Axis::key_token ? view.cell->row : 0;
    if (!after.has_heads) view.cell->head = 0;
    if (!before.has_heads && after.has_heads) view.cell->head = view.head.value_or(0);
}

void go_to(View& view, const CellRef& cell) {
    const StageInfo& info = stage_info(cell.tensor);
    view.stage = cell.tensor;
    view.cell = Cell{.head = cell.head, .row = cell.row, .column = cell.column};
    if (info.has_heads && view.head) view.head = cell.head;
    if (info.has_heads && info.columns == Axis::key_token) view.combine = Combine::none;
}

std::optional<Cell> explained_cell(const Shown& shown) {
    const View& view = shown.state.view;
    const std::optional<Cell> cell = view.cell || !view.select.empty() ? view.cell : shown.hover.cell;
    return cell && has_cell(shown.evaluation, view.stage, *cell) ? cell : std::nullopt;
}

ImU32 cell_color(const Display& display, const Cell& cell) {
    if (!stage_info(display.state.view.stage).has_heads) return display.palette.accent;
    return to_imgui(head_color(cell.head, display.palette.is_dark));
}

}  // namespace attn
