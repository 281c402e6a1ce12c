// The way back from the softmax on: the scores, a cap, the query. See way_back.h.
#include "core/attention/attention.h"
#include "core/attention/score_changes.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "playground/text/format.h"
#include "share/solution/way_back.h"

namespace attn {

std::string_view WayBack::unmasked_gradient() const {
    return s_.has(TensorId::capped_scores) ? "\\bar c_j" : "\\bar{\\hat s}_j";
}

void WayBack::write_scores() {
    s_.heading("Gradient of the scores");
    std::vector<LatexTerm> terms;
    for (int j = 0; j < s_.num_tokens(); ++j) {
        if (is_raw() || !s_.hides(s_.row, j)) terms.push_back(product(at_unmasked_[static_cast<std::size_t>(j)]));
    }
    if (s_.problem.has_sink()) {
        double sum = 0;
        for (const double number : at_unmasked_) sum += number;
        s_.paragraph(
            "The softmax of a row sums to 1 together with the sink's share, so the gradients of its scores and that of "
            "the sink's logit sum to 0. Those of the scores alone:");
        s_.aligned({latex_sum(concat("\\sum_j ", unmasked_gradient()), terms, sum, latex_number(sum))});
        s_.paragraph(concat("This row adds $", latex_number(-sum), "$ to the gradient of the sink's logit."));
    } else {
        s_.paragraph(
            "The softmax of a row always sums to 1, so what one score gains the others lose. The gradients sum to 0:");
        s_.aligned({latex_sum(concat("\\sum_j ", unmasked_gradient()), terms, 0, latex_number(0))});
    }
    const std::vector<double> at_scaled = write_through_cap();
    const std::string divisor = divisor_formula(s_.inputs);
    if (divisor.empty()) {
        s_.paragraph("The scores were not scaled: $\\bar s_j = \\bar{\\hat s}_j$.");
    } else {
        const double number = wide(score_divisor(s_.problem.settings, s_.head_dim()));
        const bool tells_of_bias = s_.has(TensorId::biased_scores) && !s_.has(TensorId::capped_scores);
        s_.paragraph(concat(tells_of_bias ? "The bias is a constant. " : "",
                            "Back through the scaling: $\\bar s_j = \\bar{\\hat s}_j / ", divisor,
                            " = \\bar{\\hat s}_j / ", latex_number(number), "$:"));
    }
    write_key_table({"$\\bar{\\hat s}_j$", "$\\bar s_j$"}, is_raw(), [&](int j) -> std::vector<double> {
        return {at_scaled[static_cast<std::size_t>(j)], wide(gradients().scores(s_.head, s_.row, j))};
    });
}

// From the capped scores to the scaled ones, whose gradients it returns; without a cap they are the same.
std::vector<double> WayBack::write_through_cap() {
    if (!s_.has(TensorId::capped_scores)) return at_unmasked_;
    const Vector capped = stage_row(s_.problem, trace(), TensorId::capped_scores, s_.head, s_.row);
    const std::string cap = exact_number(s_.inputs.score_cap);
    std::vector<double> at_scaled;
    for (int j = 0; j < s_.num_tokens(); ++j) {
        const float slope = cap_slope(capped(j), static_cast<float>(s_.inputs.score_cap));
        at_scaled.push_back(at_unmasked_[static_cast<std::size_t>(j)] * wide(slope));
    }
    s_.paragraph(concat(s_.has(TensorId::biased_scores) ? "The bias is a constant. " : "",
                        "Back through the cap, whose slope is $1 - (c_j / ", cap,
                        ")^2$: $\\bar{\\hat s}_j = \\bar c_j (1 - "
                        "(c_j / ",
                        cap, ")^2)$:"));
    write_key_table({"$\\bar c_j$", "$c_j$", "$\\bar{\\hat s}_j$"}, is_raw(), [&](int j) -> std::vector<double> {
        const auto key = static_cast<std::size_t>(j);
        return {at_unmasked_[key], wide(capped(j)), at_scaled[key]};
    });
    return at_scaled;
}

void WayBack::write_query() {
    s_.heading("Gradient of the query");
    const bool turns = s_.has(TensorId::rotated_queries), norms = s_.has(TensorId::normed_queries);
    s_.paragraph(turns   ? "$s_j = q' \\cdot k'_j$, so each key pulls by its score's gradient: "
                           "$\\bar q' = \\sum_j \\bar s_j \\, k'_j$:"
                 : norms ? "$s_j = \\tilde q \\cdot \\tilde k_j$, so each key pulls by its score's gradient: "
                           "$\\bar{\\tilde q} = \\sum_j \\bar s_j \\, \\tilde k_j$:"
                         : "$s_j = q \\cdot k_j$, so each key pulls by its score's gradient: "
                           "$\\bar q = \\sum_j \\bar s_j \\, k_j$:");
    write_sums(
        turns   ? "\\bar q'"
        : norms ? "\\bar{\\tilde q}"
                : "\\bar q",
        printed_indices(s_.problem.score_dim(), kMostSums),
        [&](int c) {
            std::vector<LatexTerm> terms;
            for (int j = 0; j < s_.num_tokens(); ++j) {
                if (!is_raw() && s_.hides(s_.row, j)) continue;
                terms.push_back(product(wide(gradients().scores(s_.head, s_.row, j)),
                                        wide(trace().scored_key()(s_.problem.kv_head(s_.head), j, c))));
            }
            return terms;
        },
        [&](int c) {
            return wide(turns   ? gradients().rotated_query(s_.head, s_.row, c)
                        : norms ? gradients().normed_query(s_.head, s_.row, c)
                                : gradients().query(s_.head, s_.row, c));
        });
    if (turns) write_back_through_turn();
    if (norms) write_through_norm();
}

void WayBack::write_back_through_turn() {
    const bool norms = s_.has(TensorId::normed_queries);
    const int own = s_.problem.rope_dim();
    s_.paragraph(own == 0 ? "The way back through a rotation turns by the opposite angle:"
                          : "The first numbers are those of $\\bar q$. The way back through the rotation of the others "
                            "turns by the opposite angle:");
    const TensorId turned = own != 0 ? TensorId::grad_position_queries
                            : norms  ? TensorId::grad_normed_queries
                                     : TensorId::grad_queries;
    const std::string_view symbol = own != 0 ? "\\bar q^R" : norms ? "\\bar{\\tilde q}" : "\\bar q";
    std::vector<std::string> rows;
    for (const int c : printed_indices(own == 0 ? s_.head_dim() : own, kMostSums)) {
        const Explanation explanation =
            explain(s_.problem, trace(), s_.evaluation.parts, turned, s_.head, s_.row, c == kGap ? 0 : c);
        rows.push_back(c == kGap ? "&\\;\\;\\vdots"
                                 : latex_sum(concat(symbol, "_{", c, "}"), s_.terms(explanation.terms),
                                             explanation.result(), latex_number(wide(explanation.shown))));
    }
    s_.aligned(rows);
}

}  // namespace attn
