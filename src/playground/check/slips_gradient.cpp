// Slips on the way back: the sign of a target, a division forgotten or done twice, the average left on, row for column.
#include "core/explain/explain.h"
#include "core/ground/check.h"
#include "core/learn/gradient_rows.h"
#include "playground/check/slip_list.h"
#include "playground/text/format.h"

namespace attn {
namespace {

double number_at(const SlipPlace& at, TensorId stage) {
    return static_cast<double>(at.matrix(stage, at.cell.head)(at.cell.row, at.cell.column));
}

// Back through the softmax: weights minus target, or weight times what is above the average.
void add_softmax_slips(const SlipPlace& at) {
    const auto& [head, row, column] = at.cell;
    const Goal& goal = at.problem().goal;
    const double shown = number_at(at, at.stage);
    if (goal.kind == GoalKind::pattern) {
        const Vector* target = target_shares(goal, head, row);
        if (target == nullptr) return;
        if (goal.num_terms > 1)
            at.add(shown * goal.num_terms, concat("forget to divide by the ", goal.num_terms, " rows with targets"));
        at.add(shown + static_cast<double>((*target)(column)) / goal.num_terms, "forget to take the target off");
        return;
    }
    const double weight = number_at(at, TensorId::weights);
    const double gradient = number_at(at, TensorId::grad_weights);
    const auto average = static_cast<double>(average_gradient(at.problem(), at.evaluation.trace, head, row));
    at.add(weight * gradient, "forget to take the row's average off");
    at.add(gradient - average, "forget to multiply by the weight");
    at.add(weight * (gradient + average), "add the row's average instead of taking it off");
}

// Back through the cap: the gradient times 1 - (capped score / cap)^2.
void add_cap_slips(const SlipPlace& at) {
    const double gradient = number_at(at, TensorId::grad_capped_scores);
    const double share = number_at(at, TensorId::capped_scores) / static_cast<double>(at.settings().score_cap);
    at.add(gradient, "leave the gradient as it was behind the cap");
    at.add(gradient * (1 - share), "forget the square");
    at.add(gradient * share * share, "forget to take the square from 1");
}

void add_scale_slips(const SlipPlace& at) {
    const double divisor = static_cast<double>(score_divisor(at.settings(), at.head_dim()));
    if (divisor == 1) return;
    const double shown = number_at(at, at.stage);
    at.add(shown * divisor, concat("forget to divide by ", shown_number(divisor)));
    at.add(shown / divisor, concat("divide by ", shown_number(divisor), " twice"));
}

// Scores' gradients times keys, or their columns times queries: the other way round, and with the scale once more.
void add_role_slips(const SlipPlace& at) {
    const auto& [head, row, column] = at.cell;
    const bool is_query = is_query_stage(tensor_of_gradient(at.stage));
    const LayerParts parts = layer_parts(at.problem());
    const Matrix scores = at.matrix(TensorId::grad_scores, head);
    const Matrix other = at.matrix(is_query ? scored_keys(parts) : scored_queries(parts), head);
    double transposed = 0;
    for (int k = 0; k < at.num_tokens(); ++k) {
        const float score = is_query ? scores(k, row) : scores(row, k);
        transposed += static_cast<double>(score) * static_cast<double>(other(k, column));
    }
    at.add(transposed, is_query ? "take a column of the scores' gradient instead of its row"
                                : "take a row of the scores' gradient instead of its column");
    const int readers = at.problem().heads_per_kv_head();
    if (!is_query && readers > 1) {
        double own = 0;
        for (int k = 0; k < at.num_tokens(); ++k)
            own += static_cast<double>(scores(k, row)) * static_cast<double>(other(k, column));
        at.add(own, concat("forget the other heads that read these keys: take head ", head + 1, " alone"));
    }
    add_scale_slips(at);
}

// Back through a norm: (gradient times weight, less x times the average) / rms.
void add_norm_slips_back(const SlipPlace& at) {
    const auto& [head, row, column] = at.cell;
    const Explanation explanation =
        explain(at.problem(), at.evaluation.trace, at.evaluation.parts, at.stage, head, row, column);
    if (explanation.terms.size() != 2) return;
    const double product = explanation.terms[0].product(), average = explanation.terms[1].product();
    at.add(product / explanation.divisor,
           "forget to take the average off: the norm divides by a length that moves, too");
    at.add((product - average) / explanation.divisor, "add the average instead of taking it off");
    at.add(product + average, "forget to divide by the root mean square");
    at.add((explanation.terms[0].a.value + average) / explanation.divisor, "forget to multiply by the learned weight");
}

// Sums over the tokens, not means.
void add_parameter_slips(const SlipPlace& at) {
    if (at.num_tokens() < 2) return;
    at.add(number_at(at, at.stage) / at.num_tokens(), concat("divide the sum by the ", at.num_tokens(), " tokens"));
}

}  // namespace

void add_gradient_slips(const SlipPlace& at) {
    if (at.stage == TensorId::grad_scaled_scores && is_capped(at.settings())) return add_cap_slips(at);
    if (at.stage == TensorId::grad_scores) return add_scale_slips(at);
    if (is_gradient(at.stage) && is_score(tensor_of_gradient(at.stage))) return add_softmax_slips(at);
    const TensorId of = is_gradient(at.stage) ? tensor_of_gradient(at.stage) : at.stage;
    if (of == TensorId::queries || of == TensorId::keys || of == TensorId::normed_queries ||
        of == TensorId::normed_keys) {
        const bool is_normed = has_stage(at.problem(), TensorId::normed_queries);
        if (is_normed && is_role(of)) return add_norm_slips_back(at);
        return is_rotary(at.settings()) ? add_turn_slips(at) : add_role_slips(at);
    }
    if (of != at.stage && is_turned_stage(of)) return add_role_slips(at);
    if (stage_info(at.stage).rows != Axis::token) add_parameter_slips(at);
}

}  // namespace attn
