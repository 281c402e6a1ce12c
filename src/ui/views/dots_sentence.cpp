// The visitor's own sentence: what the scale does to its scores and weights, for other head_dims and row by row.
#include <algorithm>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/pins.h"
#include "ui/kit/number_table.h"
#include "ui/views/dots.h"
#include "ui/views/experiment_memory.h"

namespace attn {
namespace {

const std::vector<HeadDimStep>& current_steps(Display& display) {
    ExperimentMemory& memory = experiments(display);
    if (memory.steps_version != display.version) {
        memory.steps = vary_head_dim(display.evaluator.inputs(), display.evaluation);
        memory.steps_version = display.version;
    }
    return memory.steps;
}

void put_head_dims(Display& display) {
    put_heading(display, "YOUR SENTENCE AS head_dim CHANGES");
    put_wrapped_text(small(display),
                     "One head, drawn from the init and seed of the settings. Entropy and largest weight "
                     "are means over the rows.");
    const int num_tokens = display.evaluation.num_tokens();
    if (num_tokens > kMaxExperimentTokens) {
        put_wrapped_text(small(display), concat("The first ", kMaxExperimentTokens, " of ", with_thousands(num_tokens),
                                                " tokens are looked at."));
    }
    const std::vector<HeadDimStep>& steps = current_steps(display);
    put_number_table(display, "head_dim", 72,
                     {{"variance", {"q·k", "÷ √d"}}, {"entropy, bits", {"q·k", "÷ √d"}}, {"largest", {"q·k", "÷ √d"}}},
                     static_cast<int>(steps.size()), [&](int row) {
                         const HeadDimStep& step = steps[static_cast<std::size_t>(row)];
                         return NumberRow{
                             concat(step.head_dim),
                             {shown_number(step.variance, 3), shown_number(step.scaled_variance, 3),
                              shown_number(step.unscaled.entropy, 3), shown_number(step.scaled.entropy, 3),
                              shown_number(step.unscaled.largest, 3), shown_number(step.scaled.largest, 3)}};
                     });
}

// "‹ head 1 of 2 ›"
void put_head_switch(UiFrame& frame, int head) {
    const int count = frame.evaluation.sizes.num_heads;
    if (count == 1) return;
    if (icon_button(frame, "head-", Icon::left, "Previous head", head > 0)) frame.next.view.head = head - 1;
    ImGui::SameLine();
    put_text(body(frame), concat("head ", head + 1, " of ", count), control_height(frame) + 4);
    ImGui::SameLine();
    if (icon_button(frame, "head+", Icon::right, "Next head", head + 1 < count)) frame.next.view.head = head + 1;
}

void put_rows(UiFrame& frame) {
    const int head = std::min(frame.state.view.head.value_or(0), frame.evaluation.sizes.num_heads - 1);
    put_heading(frame, concat("THE NUMBERS AS THEY ARE, head_dim = ", frame.evaluation.sizes.head_dim()));
    put_head_switch(frame, head);
    put_number_table(frame, "query", 84,
                     {{"entropy, bits", {"÷ √d", "÷ 1", "÷ d"}}, {"largest", {"÷ √d", "÷ 1", "÷ d"}}},
                     frame.evaluation.num_tokens(), [&](int row) {
                         const ScaleSpreads spreads = vary_scale(frame.evaluation, head, row);
                         NumberRow line = {token_text(frame.evaluation, row), {}};
                         for (const RowSpread& spread : {spreads.sqrt, spreads.none, spreads.dim})
                             line.numbers.push_back(shown_number(spread.entropy, 3));
                         for (const RowSpread& spread : {spreads.sqrt, spreads.none, spreads.dim})
                             line.numbers.push_back(shown_number(spread.largest, 3));
                         return line;
                     });
}

}  // namespace

void put_own_sentence(UiFrame& frame) {
    put_head_dims(frame);
    put_rows(frame);
}

}  // namespace attn
