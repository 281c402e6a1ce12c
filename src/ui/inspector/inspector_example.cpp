// The empty panel: what one click gives, shown on the last row's largest number.
#include "ui/inspector/inspector.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/explain/explain.h"
#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "playground/check/check_me.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/numbers/heads_together.h"
#include "playground/numbers/stage_labels.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"
#include "scene/kit/figure_text.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/kit/widgets.h"
#include "views/stage/place_words.h"

namespace attn {
namespace {

// The largest number of the last row of the first head that is shown, if there is one.
std::optional<Cell> example_cell(const Shown& shown, TensorId stage) {
    const Evaluation& evaluation = shown.evaluation;
    Cell cell = {.head = stage_info(stage).has_heads ? shown.state.view.head.value_or(0) : 0,
                 .row = extent_of(evaluation.sizes, stage).rows - 1,
                 .column = 0};
    if (!has_cell(evaluation, stage, cell)) return std::nullopt;
    const Vector row = stage_row(*evaluation.problem, evaluation.trace, stage, cell.head, cell.row);
    const auto size = [](float value) { return std::isfinite(value) ? std::abs(value) : -1.0F; };
    for (int column = 0; column < length(row, 0); ++column) {
        if (size(row(column)) > size(row(cell.column))) cell.column = column;
    }
    return cell;
}

}  // namespace

// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void put_example(UiFrame& frame) {
    const TensorId stage = frame.state.view.stage;
    const Evaluation& evaluation = frame.evaluation;
    if (!shows_part(frame, "values") || shows_combined(evaluation, frame.state.view)) return;
    const std::optional<Cell> cell = example_cell(frame, stage);
    if (!cell) return;
    const Explanation& explanation = explain_shown(frame, stage, *cell);
    const std::vector<std::string> lines = explanation_lines(evaluation, explanation);
    if (tells_of_blank(evaluation, Blanks(frame.state), explanation)) return;
    put_heading(frame, "FOR EXAMPLE");
    put_wrapped_text(small(frame), place_text(evaluation, stage, cell->row, cell->column));
    put_text({frame.fonts.sans_bold, kTitleSize, frame.palette.soft_ink}, shown_number(explanation.shown));
    TextStyle style = small(frame);
    put_wrapped_text(style, lines.front());
    if (lines.size() > 2) put_wrapped_text({frame.fonts.mono, kSmallSize, style.color}, lines[lines.size() - 2]);
    style.color = frame.palette.link;
    if (text_link(frame, "example", style, "show this number")) frame.next.view.cell = cell;
}

}  // namespace attn
