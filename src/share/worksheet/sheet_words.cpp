// Writes the words that a sheet and a question have in common. See sheet_words.h.
#include "share/worksheet/sheet_words.h"

#include <algorithm>
#include <optional>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/lessons/step_words.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "share/worksheet/sheet_tables.h"

namespace attn {
namespace {

// How one number of the stage is made: one that is asked for, else the first that no mask hides. Nothing where all are
// hidden.
std::optional<Explanation> example_of(const SheetTask& task, TensorId stage, const Evaluation& evaluation) {
    for (const Question& question : task.asked) {
        if (question.stage == stage) return explain(evaluation, stage, question.head, question.row, question.column);
    }
    const auto table = std::ranges::find(task.to_fill, stage, &SheetTable::tensor);
    for (const int row : table->rows) {
        for (const int column : table->columns) {
            Explanation explanation = explain(evaluation, stage, table->head, row, column);
            if (!explanation.is_hidden) return explanation;
        }
    }
    return std::nullopt;
}

}  // namespace

std::string sheet_paragraph(std::string_view html, std::string_view kind) {
    return concat("<p", kind.empty() ? std::string() : concat(" class=\"", kind, "\""), ">", html, "</p>\n");
}

std::string sheet_sizes(const PlaygroundState& state, const Evaluation& evaluation) {
    const Sizes& sizes = evaluation.sizes;
    return concat(counted(evaluation.num_tokens(), "token"), ", d_in = ", sizes.d_in, ", d_out = ", state.inputs.d_out,
                  ", ", counted(state.inputs.num_heads, "head"), " of head_dim = ", sizes.head_dim(),
                  state.inputs.mask == Mask::causal ? "; a token sees itself and those before it" : "",
                  ". Rows and columns count from 0, heads from 1.");
}

std::string sheet_formulas(const SheetTask& task, const PlaygroundState& state, const Evaluation& evaluation) {
    std::string html;
    for (const TensorId stage : task.computed) {
        const std::optional<Explanation> explanation = example_of(task, stage, evaluation);
        if (!explanation) continue;
        html += sheet_paragraph(
            concat(words_of_stage(stage), ": ", html_text(explanation_formula(evaluation, *explanation))), "formula");
        if (explanation->divisor != 1 && explanation->divisor_terms.empty())
            html += sheet_paragraph(concat("The divisor is ", html_text(divisor_text(state.inputs)), "."), "small");
    }
    return html;
}

std::string sheet_step(const PlaygroundState& state, const Evaluation& evaluation) {
    const Lesson* lesson = state.view.lesson.empty() ? nullptr : find_lesson(state.view.lesson);
    if (lesson == nullptr) return {};
    return sheet_paragraph(concat(html_text(lesson->title), ", step ", state.view.step + 1), "small") +
           sheet_paragraph(html_text(step_words(state, evaluation).text));
}

std::string sheet_worked_out(const Evaluation& evaluation, const Question& question, std::string_view line_break) {
    const Explanation explanation = explain(evaluation, question.stage, question.head, question.row, question.column);
    std::string html = html_text(
        concat(question_for_sheet(evaluation, question), ": ", shown_number(answer_of(evaluation, question))));
    for (const std::string& line : explanation_lines(evaluation, explanation))
        html += concat(line_break, html_text(line));
    return html;
}

}  // namespace attn
