// Chooses the head and the row, and writes the introduction; solution_row.cpp and solution_head.cpp write the steps.
#include "share/solution/worked_solution.h"

#include "core/ground/check.h"
#include "playground/link/link_text.h"
#include "playground/link/state_url.h"
#include "share/formats/session_file.h"
#include "share/solution/solution_parts.h"

namespace attn {
namespace {

// The head that a solution is about, from 0: the pinned cell's, else the enlarged one, else the first.
int head_of(const PlaygroundState& state) {
    const View& view = state.view;
    if (view.cell && stage_info(view.stage).has_heads) return view.cell->head;
    if (view.cell && view.stage == TensorId::merged)
        return view.cell->column / (state.inputs.d_out / state.inputs.num_heads);
    return view.head.value_or(0);
}

void write_opening(Solution& s, const PlaygroundState& state, bool is_of_row) {
    const std::string heads = concat("head ", s.head + 1, " of ", s.inputs.num_heads);
    s.paragraph(is_of_row ? concat("# Attention by hand: token ", s.row, ", “", s.token(s.row), "”, in ", heads)
                          : concat("# Attention by hand: ", heads));
    std::string sizes;
    if (state.inputs.texts.size() > 1)
        sizes = concat("Sentence ", state.view.sentence + 1, " of ", state.inputs.texts.size(), ": ");
    sizes +=
        concat("$T = ", s.num_tokens(), "$ tokens, $d_{in} = ", s.problem.d_in(), "$, $d_{out} = ", s.problem.d_out(),
               "$, $d_{head} = ", s.head_dim(), "$. Tokens, rows and columns count from 0, heads from 1.");
    s.paragraph(sizes);
    s.paragraph(
        "Numbers are rounded where they are printed and nowhere else: the summands of a line add up as "
        "printed, while a product or quotient of printed numbers may differ in its last decimal.");
    if (!s.blanks.empty())
        s.paragraph(concat("Fill in each $", kLatexBlank,
                           "$. What would give one away is left out or blank, too: the steps that follow from it, and "
                           "a second number of its row where the row has a known sum."));
    const std::string link = write_link(state);
    // Makers of pages fill in what stands in braces before they read Markdown: {{ a variable }}, {% a command %}.
    if (link.size() <= kLongLink) s.paragraph(concat("State: `#", with_encoded(link, "{}"), "`"));
}

}  // namespace

Result<std::string> worked_solution(const PlaygroundState& state, const Evaluation& evaluation) {
    if (evaluation.is_empty())
        return Result<std::string>::failure("The sentence is empty, so there is nothing to work out.");
    const bool has_pin = state.view.cell.has_value();
    const int row = has_pin ? state.view.cell->row : evaluation.num_tokens() - 1;
    Solution solution(state, evaluation, head_of(state), row);
    write_opening(solution, state, has_pin);
    if (!has_pin) {
        const int first = solution.head * solution.head_dim();
        if (state.inputs.num_heads > 1 && state.inputs.init != Init::none)
            solution.paragraph(concat("Of the matrices $W$ those columns are printed that this head owns, from column ",
                                      first, " to ", first + solution.head_dim() - 1, ".",
                                      shared_columns_in_words(solution)));
        write_head_matrices(solution);
        solution.paragraph(concat("The steps for one query, token ", row, ", “", solution.token(row), "”:"));
    }
    write_row_steps(solution);
    // Gradients tell what stands in a blank.
    if (evaluation.run && solution.blanks.empty()) write_backward_steps(solution, state.view.sentence);
    return solution.text();
}

}  // namespace attn
