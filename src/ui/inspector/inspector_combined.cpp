// Explains a number that combines all heads.
#include <imgui.h>

#include <algorithm>

#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/numbers/heads_together.h"
#include "playground/text/format.h"
#include "scene/kit/figure_text.h"
#include "ui/frame/pins.h"
#include "ui/inspector/inspector.h"
#include "ui/kit/list.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr int kFewestLines = 9;  // of the list of heads before it scrolls

// What a number of this stage is called: one of its weights, scores.
std::string_view noun_of(TensorId stage) {
    return stage_info(stage).is_signed ? "score" : "weight";
}

// Whether any head's number is blank; then so is the combined one.
bool has_blank(const Shown& shown, const Explanation& explanation) {
    const Blanks blanks(shown.state);
    for (int h = 0; h < shown.evaluation.sizes.num_heads; ++h) {
        if (blanks.has(explanation.cell.tensor, h, explanation.cell.row, explanation.cell.column)) return true;
    }
    return false;
}

void put_mean(UiFrame& frame, const Explanation& explanation) {
    const std::size_t count = explanation.terms.size();
    const bool is_secret = has_blank(frame, explanation);
    put_arithmetic(frame, concat("= ", is_secret ? std::string("?") : shown_number(explanation.sum()), " / ", count));
    put_heading(frame, concat("THE ", noun_of(explanation.cell.tensor) == "score" ? "SCORES" : "WEIGHTS", " OF ", count,
                              " HEADS"));
    const float room = ImGui::GetContentRegionAvail().y - 2 * kTextSize;
    const int lines = std::max(kFewestLines, static_cast<int>(room / list_line_height(frame)));
    put_terms(frame, "head", explanation.terms, explanation.sum(), lines, is_secret);
}

void put_largest(UiFrame& frame, const Explanation& explanation) {
    const Factor& factor = explanation.terms.front().a;
    put_arithmetic(frame, "= ");
    ImGui::SameLine(0, 0);
    put_factor(frame, factor, "largest");
    ImGui::SameLine(0, 0);
    put_arithmetic(frame, concat(" of head ", factor.source.head + 1));
}

}  // namespace

void put_combined(UiFrame& frame, const Cell& cell) {
    const Evaluation& evaluation = frame.evaluation;
    const View view = frame.state.view;  // a click on the way down may change it
    const Explanation explanation = explain_combined(evaluation, view.stage, view.combine, cell.row, cell.column);
    const std::string_view noun = noun_of(view.stage);
    const bool is_secret = has_blank(frame, explanation);
    const std::string title = combined_title(view.combine, evaluation.sizes.num_heads);
    put_wrapped_text(
        {frame.fonts.sans_bold, kHeadingSize, frame.palette.soft_ink},
        concat(title, " · ", from_to(token_text(evaluation, cell.row), token_text(evaluation, cell.column))));
    put_text({frame.fonts.sans_bold, kNumberSize, frame.palette.ink},
             is_secret ? std::string("?") : shown_number(explanation.shown));
    if (explanation.is_hidden) {
        put_wrapped_text(body(frame), "The mask hides this key from the query in every head.");
        return;
    }
    const bool is_mean = view.combine == Combine::mean;
    put_wrapped_text(body(frame), is_mean ? concat("mean = the ", noun, "s of all heads / their number")
                                          : concat("the largest ", noun, " that any head has here"));
    is_mean ? put_mean(frame, explanation) : put_largest(frame, explanation);
}

}  // namespace attn
