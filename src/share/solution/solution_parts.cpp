// Writes paragraphs, tables and formulas, and leaves blanks blank.
#include "share/solution/solution_parts.h"
#include "core/explain/stage_numbers.h"

#include <algorithm>

#include "core/attention/masking.h"
#include "core/explain/explain.h"
#include "core/ground/check.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"

namespace attn {

Solution::Solution(const PlaygroundState& of, const Evaluation& of_state, int of_head, int of_row)
    : state(of),
      inputs(of.inputs),
      evaluation(of_state),
      problem(*of_state.problem),
      blanks(with_withheld(of)),
      head(of_head),
      row(of_row) {}

void Solution::heading(std::string_view title) {
    text_ += concat("## ", ++num_headings_, ". ", title, "\n\n");
}

void Solution::paragraph(std::string_view text) {
    text_ += concat(text, "\n\n");
}

void Solution::formula(std::string_view latex) {
    text_ += concat("$$\n", latex, "\n$$\n\n");
}

void Solution::aligned(const std::vector<std::string>& rows) {
    text_ += latex_aligned(rows) + "\n";
}

void Solution::table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows) {
    const auto put_line = [&](const std::vector<std::string>& cells) {
        for (const std::string& cell : cells) text_ += concat("| ", cell, " ");
        text_ += "|\n";
    };
    put_line(titles);
    put_line(std::vector<std::string>(titles.size(), "---"));
    for (const std::vector<std::string>& cells : rows) put_line(cells);
    text_ += "\n";
}

bool Solution::is_blank(TensorId stage, int h, int i, int column) const {
    if (is_masked_stage(stage) && hides(i, column)) return false;  // as on the screen: the mask is no secret
    return blanks.has(stage, h, i, column);
}

bool Solution::asks_in_row(TensorId stage) const {
    if (!blanks.touches(stage)) return false;
    for (int c = 0; c < extent_of(evaluation.sizes, stage).columns; ++c) {
        if (is_blank(stage, head, row, c)) return true;
    }
    return false;
}

std::string Solution::number(TensorId stage, int column) const {
    return number(stage, head, row, column);
}

std::string Solution::number(TensorId stage, int h, int i, int column) const {
    if (is_blank(stage, h, i, column)) return std::string(kLatexBlank);
    const Vector numbers = stage_row(problem, evaluation.trace, stage, h, i);
    return latex_number(static_cast<double>(numbers(column)));
}

std::string Solution::matrix(TensorId stage, int h) const {
    const Extent extent = extent_of(evaluation.sizes, stage);
    Vector numbers;  // of one row: cells are asked for row by row, and of a long text few rows are printed
    int row_of_numbers = -1;
    return latex_matrix(extent.rows, extent.columns, [&](int i, int c) {
        if (i != row_of_numbers) {
            row_of_numbers = i;
            numbers = stage_row(problem, evaluation.trace, stage, h, i);
        }
        return is_blank(stage, h, i, c) ? std::string(kLatexBlank) : latex_number(static_cast<double>(numbers(c)));
    });
}

std::string Solution::row_vector(TensorId stage, int h, int i) const {
    const Vector numbers = stage_row(problem, evaluation.trace, stage, h, i);
    return latex_matrix(1, length(numbers, 0), [&](int, int c) {
        return is_blank(stage, h, i, c) ? std::string(kLatexBlank) : latex_number(static_cast<double>(numbers(c)));
    });
}

std::vector<LatexTerm> Solution::terms(const std::vector<Term>& terms) const {
    const auto is_shown = [&](const Factor& factor) {
        const CellRef& source = factor.source;
        const bool is_of_stage = factor.has_source && stage_of_name(tensor_name(source.tensor));
        return !is_of_stage || !is_blank(source.tensor, source.head, source.row, source.column);
    };
    std::vector<LatexTerm> latex;
    for (const Term& term : terms)
        latex.push_back({.term = term, .shows_a = is_shown(term.a), .shows_b = is_shown(term.b)});
    return latex;
}

std::string Solution::sum(std::string_view symbol, TensorId stage, int column) const {
    const int h = stage_info(stage).has_heads ? head : 0;
    const Explanation explanation = explain(problem, evaluation.trace, evaluation.parts, stage, h, row, column);
    const bool is_typed = explanation.terms.size() == 1 && explanation.terms[0].label == "typed";
    return latex_sum(symbol, terms(explanation.terms), explanation.sum(), number(stage, h, row, column)) +
           (is_typed ? " \\quad \\text{(set by hand)}" : "");
}

std::string Solution::token(int i) const {
    return markdown_text(evaluation.tokens.tokens[static_cast<std::size_t>(i)].text);
}

void Solution::key_table(const std::vector<std::string>& titles, bool all_keys,
                         const std::function<std::vector<std::string>(int key)>& cells_of) {
    std::vector<std::string> all_titles = {"key", "token"};
    all_titles.insert(all_titles.end(), titles.begin(), titles.end());
    std::vector<std::vector<std::string>> rows;
    for (const int j : printed_keys(all_keys, kMostTableRows)) {
        if (j == kGap) {
            rows.emplace_back(all_titles.size(), "…");
            continue;
        }
        rows.push_back({concat(j), token(j)});
        for (const std::string& latex : cells_of(j)) rows.back().push_back(math(latex));
    }
    table(all_titles, rows);
}

std::vector<int> Solution::printed_keys(bool all, int most) const {
    std::vector<int> keys;
    for (int j = 0; j < num_tokens(); ++j) {
        if (all || !hides(row, j)) keys.push_back(j);
    }
    std::vector<int> printed;
    for (const int index : printed_indices(static_cast<int>(keys.size()), most))
        printed.push_back(index == kGap ? kGap : keys[static_cast<std::size_t>(index)]);
    return printed;
}

std::string divisor_formula(const Inputs& inputs) {
    const bool is_root = inputs.scale == Scale::sqrt;
    const std::string_view of_both = is_root ? "\\sqrt{d_{head} + d_{rope}}" : "(d_{head} + d_{rope})";
    const std::string_view scale = inputs.rope_dim != 0 ? of_both : is_root ? "\\sqrt{d_{head}}" : "d_{head}";
    if (inputs.temperature == 1) return inputs.scale == Scale::none ? "" : std::string(scale);
    return inputs.scale == Scale::none ? "\\tau" : concat("(", scale, " \\cdot \\tau)");
}

std::vector<RoleParts> roles_of(const AttentionProblem& problem) {
    const Projections& p = problem.projections;
    return {{.stage = TensorId::queries, .title = "Queries", .letter = "Q", .weight = p.w_query, .bias = p.b_query},
            {.stage = TensorId::keys, .title = "Keys", .letter = "K", .weight = p.w_key, .bias = p.b_key},
            {.stage = TensorId::values, .title = "Values", .letter = "V", .weight = p.w_value, .bias = p.b_value}};
}

std::string_view source_letter(const AttentionProblem& problem, TensorId role) {
    const TensorId source = problem.source_of(role);
    return source == TensorId::embeddings ? "X" : source == TensorId::latents ? "C^{KV}" : "C^Q";
}

std::string shared_columns_in_words(const Solution& solution) {
    const AttentionProblem& problem = solution.problem;
    if (problem.num_kv_heads() == problem.settings.num_heads) return "";
    const int shared = problem.kv_head(solution.head);
    const int first = shared * problem.head_dim();
    return concat(" It reads the keys and values of key head ", shared + 1, " of ", problem.num_kv_heads(),
                  ": of $W_K$ and $W_V$ columns ", first, " to ", first + problem.head_dim() - 1, ".");
}

std::string latex_columns(const Matrix& matrix, int first, int count) {
    return latex_matrix(length(matrix, 0), count,
                        [&](int i, int c) { return latex_number(static_cast<double>(matrix(i, first + c))); });
}

std::string turning_in_words(const Inputs& inputs, int head_dim) {
    const std::string position = inputs.pos_shift == 0  ? "i"
                                 : inputs.pos_shift > 0 ? concat("(i + ", inputs.pos_shift, ")")
                                                        : concat("(i - ", -inputs.pos_shift, ")");
    const bool is_halves = inputs.rope_pairs == RotaryPairs::halves;
    return concat("Rotary positions turn each pair of channels, ",
                  is_halves ? concat("$c$ and $c + ", head_dim / 2, "$") : std::string("$2c$ and $2c + 1$"),
                  ", of token $i$ by the angle $\\theta_c = ", position, " \\cdot ", exact_number(inputs.rope_base),
                  "^{-2c/", head_dim,
                  "}$: $x' = x \\cos\\theta_c - y \\sin\\theta_c$ and $y' = y \\cos\\theta_c + x \\sin\\theta_c$.");
}

std::string math(std::string_view latex) {
    return concat("$", latex, "$");
}

std::string_view unmasked_symbol(const Solution& solution) {
    if (solution.has(TensorId::biased_scores)) return "b_j";
    return solution.has(TensorId::capped_scores) ? "c_j" : "\\hat s_j";
}

std::string slope_text(const Solution& solution) {
    return latex_number(slope_of_head(solution.problem.settings, solution.head));
}

}  // namespace attn
