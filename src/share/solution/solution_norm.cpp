// The norms of queries and keys in a worked solution: of the row's query, of all rows of the head, and the way back.
#include "core/attention/rms_norm.h"
#include "core/explain/explain.h"
#include "playground/text/format.h"
#include "share/solution/way_back.h"

namespace attn {
namespace {

std::string weights_of(std::string_view letter, const Vector& weight) {
    return concat(letter, " = ", latex_matrix(1, length(weight, 0), [&](int, int c) {
                      return latex_number(static_cast<double>(weight(c)));
                  }));
}

}  // namespace

void write_norm(Solution& s) {
    if (!s.has(TensorId::normed_queries) || !s.goes_to(TensorId::normed_queries)) return;
    const Explanation first =
        explain(s.problem, s.evaluation.trace, s.evaluation.parts, TensorId::normed_queries, s.head, s.row, 0);
    const std::vector<LatexTerm> squares = s.terms(first.divisor_terms);
    bool is_shown = !s.asks_in_row(TensorId::normed_queries);
    for (const LatexTerm& square : squares) is_shown = is_shown && square.shows_product();
    const auto shown = [&](double number) { return is_shown ? latex_number(number) : std::string(kLatexBlank); };
    s.heading("Norm of the query and of the keys");
    s.paragraph(concat("$\\tilde q_c = g_c \\, q_c / r$, with $r$ the root of the mean of the squares, plus ",
                       "$10^{-6}$, and learned weights $g$, the same for all heads:"));
    const double sum = sum_of(first.divisor_terms);
    s.aligned({latex_sum("\\sum_c q_c^2", squares, sum, shown(sum)),
               concat("r &= \\sqrt{", shown(sum), " / ", s.head_dim(), " + 10^{-6}} = ", shown(first.divisor))});
    s.formula(weights_of("g", s.problem.projections->q_norm));
    std::vector<std::vector<std::string>> rows;
    for (const int c : printed_indices(s.head_dim(), kMostSums)) {
        if (c == kGap) {
            rows.push_back({"…", "…", "…"});
            continue;
        }
        rows.push_back({concat(c), math(s.number(TensorId::queries, c)), math(s.number(TensorId::normed_queries, c))});
    }
    s.table({"channel", "$q_c$", "$\\tilde q_c$"}, rows);
    s.paragraph("Each key is normed the same way, by its own root mean square and the weights of the keys:");
    s.formula(weights_of("g_K", s.problem.projections->k_norm));
}

void write_norm_matrices(Solution& s) {
    if (!s.has(TensorId::normed_queries) || !s.goes_to(TensorId::normed_queries)) return;
    const Projections& p = s.problem.projections;
    s.paragraph("Each row over the root of the mean of its squares, plus $10^{-6}$, times learned weights:");
    s.formula(concat(weights_of("g_Q", p.q_norm), ", \\qquad ", weights_of("g_K", p.k_norm)));
    write_stage(s, "Normed queries", "\\tilde Q", TensorId::normed_queries);
    write_stage(s, "Normed keys", "\\tilde K", TensorId::normed_keys);
}

void WayBack::write_through_norm() {
    const auto at = [&](int c) {
        return explain(s_.problem, trace(), s_.evaluation.parts, TensorId::grad_queries, s_.head, s_.row, c);
    };
    const Explanation first = at(0);
    if (!first.is_normed) return;  // typed: the way back stops there
    const double sum = sum_of(first.average_terms);
    s_.paragraph(
        "Back through the norm: a query that grows is divided by more, so the average $A$ comes off, "
        "$\\bar q_c = (g_c \\, \\bar{\\tilde q}_c - q_c A) / r$ with $A = \\sum_c \\bar{\\tilde q}_c \\, "
        "\\tilde q_c / (d_{head} \\, r)$:");
    s_.aligned(
        {latex_sum("\\sum_c \\bar{\\tilde q}_c \\, \\tilde q_c", s_.terms(first.average_terms), sum, latex_number(sum)),
         concat("A &= ", latex_number(sum), " / (", s_.head_dim(), " \\cdot ", latex_number(first.divisor),
                ") = ", latex_number(first.average()))});
    std::vector<std::vector<std::string>> rows;
    for (const int c : printed_indices(s_.head_dim(), kMostSums)) {
        if (c == kGap) {
            rows.push_back({"…", "…", "…", "…"});
            continue;
        }
        rows.push_back({concat(c), math(latex_number(wide(gradients().normed_query(s_.head, s_.row, c)))),
                        math(s_.number(TensorId::queries, c)),
                        math(latex_number(wide(gradients().query(s_.head, s_.row, c))))});
    }
    s_.table({"channel", "$\\bar{\\tilde q}_c$", "$q_c$", "$\\bar q_c$"}, rows);
}

}  // namespace attn
