// The terms come from core's explain(); this file only finds the words for them.
#include "playground/numbers/explanation_lines.h"

#include <algorithm>
#include <cmath>

#include "core/attention/rms_norm.h"
#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"

namespace attn {
namespace {

std::string sum_text(const std::vector<Term>& terms) {
    return sum_of_texts(terms.size(), [&](std::size_t i) { return product_text(terms[i]); });
}

std::string quoted_token(const Evaluation& evaluation, int i) {
    return quoted(evaluation.tokens.tokens[static_cast<std::size_t>(i)].text);
}

std::string angle_line(const Evaluation& evaluation, const Explanation& explanation) {
    const RotarySettings& rotary = evaluation.problem->settings.rotary;
    const int own = evaluation.problem->rope_dim();
    const int head_dim = evaluation.problem->head_dim();
    const int size = own == 0 ? head_dim : own;
    const int first_turned = own != 0 && is_turned_stage(explanation.cell.tensor) ? head_dim : 0;
    return concat("angle = position ", explanation.position, " / ", exact_number(rotary.base), "^(",
                  2 * pair_of(rotary.pairs, size, explanation.cell.column - first_turned), "/", size,
                  ") = ", shown_number(explanation.angle), " radians");
}

std::string tangent_line(const Evaluation& evaluation, const Explanation& explanation) {
    const Factor& tangent = explanation.terms.front().a;
    const CellRef& from = tangent.source;
    const float before =
        stage_number(*evaluation.problem, evaluation.trace, from.tensor, from.head, from.row, from.column);
    return concat("tanh(", shown_number(static_cast<double>(before)), " / ",
                  exact_number(explanation.terms.front().b.value), ") = ", shown_number(tangent.value));
}

// What a normed number is divided by.
std::string rms_line(const Explanation& explanation) {
    return concat("rms = √((", sum_text(explanation.divisor_terms), ") / ", explanation.divisor_terms.size(), " + ",
                  exact_number(kQueryKeyNormEps), ") = ", shown_number(explanation.divisor));
}

// What a term with the label "average" takes off.
std::string average_line(const Explanation& explanation) {
    const std::string sum = sum_text(explanation.average_terms);
    if (!explanation.is_normed) return concat("average = ", sum, " = ", shown_number(explanation.average()));
    return concat("average = (", sum, ") / (", explanation.average_terms.size(),
                  " · rms) = ", shown_number(explanation.average()));
}

std::string hidden_line(const Evaluation& evaluation, const CellRef& cell) {
    const bool is_later = evaluation.problem->settings.mask == Mask::causal && cell.column > cell.row;
    const MaskWindow& window = evaluation.problem->settings.window;
    std::string reason = "the mask hides this key";
    if (is_later) {
        reason = concat(quoted_token(evaluation, cell.column), " comes after ", quoted_token(evaluation, cell.row),
                        ", so its key is hidden");
    } else if (window.hides(cell.row, cell.column)) {
        reason =
            concat(quoted_token(evaluation, cell.column), " lies outside the window of ", counted(window.keys, "key"),
                   " of ", quoted_token(evaluation, cell.row), ", so its key is hidden");
    }
    if (cell.tensor == TensorId::masked_scores) return concat("masked score = −∞: ", reason);
    const bool is_before = evaluation.problem->settings.mask_at == MaskAt::before;
    return concat(cell.tensor == TensorId::weights ? "weight" : "dropped weight", " = 0: ", reason,
                  is_before ? ", and exp(−∞) is 0" : " after the softmax");
}

}  // namespace

std::vector<std::string> explanation_lines(const Evaluation& evaluation, const Explanation& explanation) {
    ATTN_CHECK(!evaluation.is_empty(), "an empty sentence has no cell to explain");
    if (explanation.is_hidden) return {hidden_line(evaluation, explanation.cell)};
    if (kOpensModels && !explanation.steps.empty()) return lines_of_steps(explanation);

    std::vector<std::string> lines = {explanation_formula(evaluation, explanation)};
    if (is_rotary(evaluation.problem->settings) && explanation.is_turned)
        lines.push_back(angle_line(evaluation, explanation));
    if (explanation.terms.front().label == "tanh") lines.push_back(tangent_line(evaluation, explanation));
    if (explanation.is_normed) lines.push_back(rms_line(explanation));
    if (needs_goal(explanation.cell.tensor) && !explanation.average_terms.empty())
        lines.push_back(average_line(explanation));
    if (explanation.is_softmax) {
        lines.push_back(concat("row max = ", shown_number(explanation.row_max)));
        lines.push_back(
            concat("row sum = ", sum_text(explanation.divisor_terms), " = ", shown_number(explanation.divisor)));
        lines.push_back(
            concat("= exp(", shown_number(explanation.score), " − ", after_minus(explanation.row_max), ") / row sum"));
    } else if (!explanation.divisor_terms.empty() && !explanation.is_normed) {
        lines.push_back(concat(explanation.cell.tensor == TensorId::grad_weights ? "divisor = " : "what is left = ",
                               sum_text(explanation.divisor_terms), " = ", shown_number(explanation.divisor)));
    }
    const std::string sum = sum_text(explanation.terms);
    const std::string result = shown_number(static_cast<double>(explanation.shown));
    if (!explanation.divisor_terms.empty() || explanation.divisor != 1) {
        lines.push_back(concat("= ", quotient_text(sum, explanation)));
    } else if (sum != result) {
        lines.push_back(concat("= ", sum));
    }
    lines.push_back(concat("= ", result));
    return lines;
}

std::string quotient_text(std::string_view sum, const Explanation& explanation) {
    const bool is_sum = explanation.terms.size() > 1;
    return concat(is_sum ? "(" : "", sum, is_sum ? ") / " : " / ", shown_number(explanation.divisor));
}

std::string scaling_text(const Inputs& inputs, const Evaluation& evaluation, const CellRef& weight) {
    const AttentionProblem& problem = *evaluation.problem;
    std::string text = concat("÷ ", divisor_text(inputs));
    if (is_capped(problem.settings))
        text += concat(", capped at ", exact_number(static_cast<double>(problem.settings.score_cap)));
    if (!is_alibi(problem.settings)) return text;
    const Explanation biased = explain(problem, evaluation.trace, evaluation.parts, TensorId::biased_scores,
                                       weight.head, weight.row, weight.column);
    return concat(text, " + ", product_text(biased.terms.back()));
}

std::string cell_title(const Evaluation& evaluation, const CellRef& cell) {
    const StageInfo& info = stage_info(cell.tensor);
    const bool is_between_tokens = info.columns == Axis::key_token;
    const std::string head = info.has_heads ? concat(", head ", cell.head + 1) : "";
    if (info.rows == Axis::channel) return concat(info.name, "[", cell.row, ", ", cell.column, "]");
    const std::string row =
        concat(is_between_tokens ? ", query " : ", token ", cell.row, " ", quoted_token(evaluation, cell.row));
    std::string column = concat(", channel ", cell.column);
    if (is_between_tokens) column = concat(", key ", cell.column, " ", quoted_token(evaluation, cell.column));
    if (info.columns == Axis::word)
        column = concat(", word ", quoted(evaluation.run->words().at(static_cast<std::size_t>(cell.column))));
    if (kHasSinks && info.columns == Axis::sink) column.clear();  // there is one
    return concat(info.name, head, row, column);
}

std::string terms_heading(const std::vector<Term>& terms) {
    const auto is_product = [](const Term& term) { return term.a.has_source && term.b.has_source; };
    const auto num_products = std::count_if(terms.begin(), terms.end(), is_product);
    if (num_products == 0) return concat(terms.size(), " PARTS THAT ARE ADDED");
    const Term& first = terms.front();
    const Term& last = terms.back();
    const bool has_pairs = std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
        return is_product(term) &&
               (term.a.source.tensor != first.a.source.tensor || term.b.source.tensor != first.b.source.tensor);
    });
    if (has_pairs) return concat(num_products, " PRODUCTS");
    const std::string_view rest = last.a.has_source ? tensor_name(last.a.source.tensor) : std::string_view(last.label);
    return concat(num_products, num_products == 1 ? " PRODUCT: " : " PRODUCTS: ", tensor_name(first.a.source.tensor),
                  " × ", tensor_name(first.b.source.tensor), is_product(last) ? "" : " + ",
                  is_product(last) ? "" : rest);
}

}  // namespace attn
