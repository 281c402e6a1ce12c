// What stands below a number's arithmetic: lists of its parts, the nudge that proves a gradient, and the next step.
#include <algorithm>

#include "core/attention/rms_norm.h"
#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/link/blanks.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/numbers/nudge_lines.h"
#include "playground/numbers/stage_labels.h"
#include "playground/numbers/step_lines.h"
#include "playground/text/format.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/inspector_memory.h"
#include "ui/kit/list.h"
#include "ui/kit/widgets.h"

namespace attn {

bool is_cell_blank(const Shown& shown, TensorId stage, const Cell& cell) {
    return Blanks(shown.state).has(stage, cell.head, cell.row, cell.column);
}

Explanation explain_cell(const Evaluation& evaluation, TensorId stage, const Cell& cell) {
    return explain(evaluation, stage, cell.head, cell.row, cell.column);
}

const Explanation& explain_shown(Display& display, TensorId stage, const Cell& cell) {
    ExplainedCell& kept = inspector_memory(display.memory).explained;
    const CellRef ref = {stage, cell.head, cell.row, cell.column, display.state.inputs.layer};
    if (kept.version != display.version || kept.cell != ref) {
        kept.explanation = explain_cell(display.evaluation, stage, cell);
        kept.version = display.version;
        kept.cell = ref;
    }
    return kept.explanation;
}

namespace {

constexpr int kShortList = 9;  // lines of a list before it scrolls, where another section follows

// For a probability: its logit and the sum of its row.
void put_probability_sections(UiFrame& frame, const Cell& cell, const Explanation& explanation) {
    put_heading(frame, "LOGIT IT CAME FROM: output · vector of the word");
    const Explanation logit = explain_cell(frame.evaluation, TensorId::logits, cell);
    put_terms(frame, "z", logit.terms, logit.sum(), kShortList, is_cell_blank(frame, TensorId::logits, cell));
    if (const auto cap = static_cast<double>(frame.evaluation.problem->settings.logit_cap); cap > 0)
        put_arithmetic(frame, concat("capped at ", exact_number(cap), " = ", shown_number(explanation.score)));
    put_heading(frame, "ROW SUM: exp(logit − row max) of each word");
    put_arithmetic(frame, concat("row max = ", shown_number(explanation.row_max)));
    put_terms(frame, "exp", explanation.divisor_terms, explanation.divisor, kShortList);
}

// For a weight: the score it comes from.
void put_score_section(UiFrame& frame, const Cell& cell, const Explanation& explanation) {
    put_heading(frame, "SCORE IT CAME FROM: query · key");
    const Explanation score = explain_cell(frame.evaluation, TensorId::scores, cell);
    put_terms(frame, "q.k", score.terms, score.sum(), kShortList, is_cell_blank(frame, TensorId::scores, cell));
    const bool is_score_blank = is_blank(frame, explanation.terms.front().a);
    put_arithmetic(frame, concat(scaling_text(frame.state.inputs, frame.evaluation, explanation.cell), " = ",
                                 is_score_blank ? std::string("?") : shown_number(explanation.score)));
    put_sources(frame, score);
}

// For the output of a softmax: the sum of its row and the score it comes from.
void put_softmax_sections(UiFrame& frame, const Cell& cell, const Explanation& explanation) {
    if (explanation.cell.tensor == TensorId::probabilities) {
        put_probability_sections(frame, cell, explanation);
        return;
    }
    const bool is_sink = explanation.cell.tensor == TensorId::sink_weights;  // no query and no key made its logit
    if (!is_sink) put_score_section(frame, cell, explanation);
    put_heading(frame, concat("ROW SUM: exp(score − row max) of each key",
                              frame.evaluation.problem->has_sink() ? " and of the sink" : ""));
    put_arithmetic(frame, concat("row max = ", shown_number(explanation.row_max)));
    put_terms(frame, "exp", explanation.divisor_terms, explanation.divisor, kShortList);
}

// For a normed number, or a gradient behind a norm: its terms, what they are divided by, and what comes off.
void put_norm_sections(UiFrame& frame, const Cell& cell, const Explanation& explanation) {
    const std::string rms = shown_number(explanation.divisor);
    if (explanation.terms.size() > 1) {
        put_heading(frame, terms_heading(explanation.terms));
        put_terms(frame, "term", explanation.terms, explanation.sum(), kShortList,
                  is_cell_blank(frame, explanation.cell.tensor, cell));
        put_wrapped_text(mono(frame), concat("sum / rms = ", shown_number(explanation.sum()), " / ", rms, " = ",
                                             shown_number(static_cast<double>(explanation.shown))));
    }
    const double squares = sum_of(explanation.divisor_terms);
    put_heading(frame, "SQUARES OF THE ROW: rms is the root of their mean");
    put_terms(frame, "x²", explanation.divisor_terms, squares, kShortList);
    put_wrapped_text(mono(frame), concat("rms = √(", shown_number(squares), " / ", explanation.divisor_terms.size(),
                                         " + ", exact_number(kQueryKeyNormEps), ") = ", rms));
    if (explanation.average_terms.empty()) return;
    const double sum = sum_of(explanation.average_terms);
    put_heading(frame, "AVERAGE: gradient × normed number");
    put_terms(frame, "average", explanation.average_terms, sum, kShortList);
    put_wrapped_text(mono(frame), concat("average = ", shown_number(sum), " / (", explanation.average_terms.size(),
                                         " · ", rms, ") = ", shown_number(explanation.average())));
}

// The terms of a step, a few of which say where they stand rather than in which channel: "middle stream".
std::vector<Term> titled_terms(const ExplainedStep& step) {
    constexpr std::size_t kFew = 3;
    std::vector<Term> terms = step.terms;
    for (Term& term : terms) {
        const bool is_of_stage = term.a.has_source && is_stage(term.a.source.tensor);
        if (terms.size() <= kFew && term.label.empty() && is_of_stage) term.label = stage_title(term.a.source.tensor);
    }
    return terms;
}

// Whether all that there is to a step stands in the line below its heading.
bool is_one_line(const ExplainedStep& step) {
    const Term& first = step.terms.front();
    return step.terms.size() == 1 && is_one(first.b) && !first.a.has_source;
}

// For a number that a model makes in steps: the terms of each, and what is made of their sum.
[[gnu::noinline]] void put_step_sections(UiFrame& frame, const Cell& cell, const Explanation& explanation) {
    const bool is_secret = is_cell_blank(frame, explanation.cell.tensor, cell);
    for (std::size_t n = 0; n < explanation.steps.size(); ++n) {
        const ExplainedStep& step = explanation.steps[n];
        put_heading(frame, concat(step.name, step.rule.empty() ? "" : concat(": ", step.rule)));
        if (!is_one_line(step))
            put_terms(frame, concat("step ", n), titled_terms(step), step.sum(), kShortList, is_secret);
        else if (step.rule.empty() && step.divisor == 1)
            put_arithmetic(frame, is_secret ? "?" : shown_number(step.value));
        if (step.rule.empty() && step.divisor == 1) continue;
        const Factor sum = {.value = step.sum(), .has_source = false, .source = {}};
        const ExplainedStep of_sum = {.name = "",
                                      .terms = {{.a = sum, .b = {}, .label = ""}},
                                      .divisor = step.divisor,
                                      .rule = step.rule,
                                      .value = step.value};
        put_wrapped_text(mono(frame),
                         concat("= ", step_text(of_sum), " = ", is_secret ? "?" : shown_number(step.value)));
    }
}

// Proves a gradient: the loss with the number nudged up and down.
void put_nudge(Display& display, const CellRef& gradient) {
    constexpr double kMostAFrame = 4e5;  // multiply-adds, in plain loops: about a millisecond
    const std::vector<std::string> lines = nudge_lines(display.evaluation, gradient, kMostAFrame);
    if (lines.empty()) return;
    put_heading(display, "NUDGE IT: IS THAT TRUE?");
    for (const std::string& line : lines) put_wrapped_text(mono(display), line);
}

// Shows how the next training step changes the number that this gradient belongs to.
void put_step(Display& display, const CellRef& gradient) {
    const std::vector<std::string> lines = step_lines(display.evaluation, gradient);
    if (lines.empty()) return;
    put_heading(display, "THE NEXT STEP");
    for (const std::string& line : lines) put_wrapped_text(mono(display), line);
}

}  // namespace

void put_sections(UiFrame& frame, const Cell& cell, const Explanation& explanation) {
    if (!explanation.steps.empty()) {
        put_step_sections(frame, cell, explanation);
    } else if (explanation.is_softmax) {
        put_softmax_sections(frame, cell, explanation);
    } else if (explanation.is_normed) {
        put_norm_sections(frame, cell, explanation);
    } else if (!explanation.divisor_terms.empty()) {
        const bool is_of_target = explanation.cell.tensor == TensorId::grad_weights;
        put_heading(frame,
                    is_of_target ? "DIVISOR: weight × rows with targets" : "WHAT IS LEFT OF THE ROW: the visible keys");
        put_terms(frame, "left", explanation.divisor_terms, explanation.divisor, kShortList);
    } else if (explanation.terms.size() > 1) {
        put_heading(frame, terms_heading(explanation.terms));
        // The last list takes all the room that is left.
        const float room =
            ImGui::GetContentRegionAvail().y - 2 * kTextSize - sources_height(explanation) - code_height(frame);
        const int lines = std::max(kShortList, static_cast<int>(room / list_line_height(frame)));
        put_terms(frame, "term", explanation.terms, explanation.sum(), lines,
                  is_cell_blank(frame, explanation.cell.tensor, cell));
        put_sources(frame, explanation);
    } else {
        put_sources(frame, explanation);
    }
    if (!explanation.average_terms.empty() && !explanation.is_normed) {
        put_heading(frame, "ROW AVERAGE: gradient × weight of each key");
        put_terms(frame, "average", explanation.average_terms, sum_of(explanation.average_terms), kShortList);
    }
    put_nudge(frame, explanation.cell);
    put_step(frame, explanation.cell);
}

}  // namespace attn
