// Compares numbers with those before the edits, and draws triangles in changed cells.
#include "ui/matrix/change_marks.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/ground/check.h"
#include "playground/numbers/shown_rows.h"
#include "playground/text/notes.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr float kSmallestCell = 6;  // points: a mark in a smaller one could not be told from the cell

std::vector<bool> changed_columns(const Shown& shown, TensorId stage, int head, int row) {
    const Vector before = shown_row(*shown.evaluator.unedited(), stage, head, row);
    const Vector now = shown_row(shown.evaluation, stage, head, row);
    std::vector<bool> changed(now.size());
    for (std::size_t column = 0; column < now.size(); ++column) {
        changed[column] = is_changed(before(column), now(column));
    }
    return changed;
}

// There are edits, but the evaluator does not keep the numbers without them.
bool is_too_large_to_compare(const Shown& shown) {
    const Sizes& sizes = shown.evaluation.sizes;
    const auto num_tokens = static_cast<std::int64_t>(sizes.num_tokens);
    return !shown.state.inputs.edits.empty() && num_tokens * num_tokens * sizes.num_heads > kMaxScoresTwice;
}

}  // namespace

StageChanges stage_changes(const Display& display, TensorId stage) {
    if (!display.evaluator.is_complete()) return {};  // nothing to compare yet
    if (display.evaluation.is_empty() || !has_stage(*display.evaluation.problem, stage)) return {};
    if (!display.memory.changes) display.memory.changes = std::make_shared<ChangeCounts>();
    return display.memory.changes->of(display.evaluator, stage);
}

std::optional<float> number_before(const Shown& shown, TensorId stage, const Cell& cell) {
    const Evaluation* unedited = shown.evaluator.unedited();
    if (unedited == nullptr || !shown.evaluator.is_complete()) return std::nullopt;
    const auto column = static_cast<std::size_t>(cell.column);
    const Vector before = shown_row(*unedited, stage, cell.head, cell.row);
    const Vector now = shown_row(shown.evaluation, stage, cell.head, cell.row);
    return is_changed(before(column), now(column)) ? std::optional(before(column)) : std::nullopt;
}

std::string cell_change_text(const Shown& shown, TensorId stage, const Cell& cell) {
    const std::optional<float> before = number_before(shown, stage, cell);
    if (!before) return {};
    const Vector now = shown_row(shown.evaluation, stage, cell.head, cell.row);
    return change_text(*before, now(static_cast<std::size_t>(cell.column)));
}

std::string stage_change_text(const Display& display, TensorId stage) {
    if (is_too_large_to_compare(display)) return "what you typed over is in use; at this size changes are not marked";
    const StageChanges changes = stage_changes(display, stage);
    if (changes.num_changed == 0) return {};
    return concat("changed by what you typed: ", with_thousands(changes.num_changed), " of ",
                  counted(changes.num_cells, "cell"));
}

void draw_change_mark(const Look& look, ImVec2 min, ImVec2 max) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float side = std::min(max.x - min.x, max.y - min.y);
    const Palette& palette = look.palette;
    // Ink on paper: seen on every colour of the maps, light and dark.
    const float size = std::clamp(side * 0.3F, 2.5F, 9.0F);
    const float edge = size + std::clamp(side * 0.1F, 1.0F, 2.5F);
    list.AddTriangleFilled({max.x - edge, min.y}, {max.x, min.y}, {max.x, min.y + edge}, palette.paper);
    list.AddTriangleFilled({max.x - size, min.y}, {max.x, min.y}, {max.x, min.y + size}, palette.ink);
}

bool has_room_for_marks(const HeadsPicture& picture) {
    return std::min(picture.grid.cell.x, picture.grid.cell.y) >= kSmallestCell;
}

void draw_change_marks(const HeadsPicture& picture, int head, ImVec2 corner, const MapPart& part) {
    const Display& display = picture.frame;
    const TensorId stage = picture.stage.info.id;
    if (!has_room_for_marks(picture) || stage_changes(display, stage).num_changed == 0) return;
    const bool is_combined = picture.stage.is_combined();
    const int first_head = is_combined ? 0 : head;
    const int last_head = is_combined ? display.evaluation.sizes.num_heads : head + 1;
    const float gap = picture.is_table ? 0 : 1;  // between the colours of two cells
    for (int row = part.first_row; row < part.last_row; ++row) {
        std::vector<bool> marks(static_cast<std::size_t>(picture.stage.columns));
        for (int h = first_head; h < last_head; ++h) {
            const std::vector<bool> changed = changed_columns(display, stage, h, row);
            for (std::size_t column = 0; column < marks.size(); ++column) {
                marks[column] = marks[column] || changed[column];
            }
        }
        for (int column = part.first_column; column < part.last_column; ++column) {
            if (!marks[static_cast<std::size_t>(column)]) continue;
            const ImVec2 min = picture.cell_min(corner, row, column);
            const ImVec2 max = picture.cell_max(corner, row, column);
            draw_change_mark(display, min, {max.x - gap, max.y - gap});
        }
    }
}

}  // namespace attn
