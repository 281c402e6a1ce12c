// A(i, j) = exp(s(i, j) - m(i)) / sum over k of exp(s(i, k) - m(i)), m(i) the largest score of the row: the softmax of
// each row (Vaswani et al. 2017, equation 1). A learned sink is one more score of the row, with no key and no value
// (gpt-oss, 2508.10925), so that weights may sum to less than 1. Backward: grad_s_j = A_j (g_j - sum over k of g_k
// A_k), and a sink's own g is 0.
#include <algorithm>
#include <limits>
#include <xtensor/core/xmath.hpp>

#include "core/ground/portable_math.h"
#include "core/operations/operations.h"

namespace attn {
namespace {

// exp(s - m) of each row and of its sink, and their sum.
struct Exponentials {
    CubeD of_keys, of_sink, sum;  // (num_heads, T, T), (num_heads, T, 1), (num_heads, T, 1)
};

Exponentials exponentials(const Operands& in) {
    const CubeD& scores = in[0];
    CubeD row_max = xt::amax(scores, {2}, xt::keep_dims);
    CubeD sink = xt::full_like(row_max, -std::numeric_limits<double>::infinity());
    if (in.has(1)) for_each_cell(sink, [&](int h, int i, int) { sink(h, i, 0) = in[1](0, 0, h); });
    row_max = xt::maximum(row_max, sink);
    Exponentials e{.of_keys = xt::exp(scores - row_max), .of_sink = xt::exp(sink - row_max), .sum = {}};
    e.sum = xt::sum(e.of_keys, {2}, xt::keep_dims);
    e.sum += e.of_sink;
    return e;
}

// Fills in the softmax of a row of scores; the number is that of a key, or that of the sink.
void explain_softmax(const Cells& in, const OperandIds& ids, bool is_sink, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const TensorId source = *ids[0];
    const Vector scores = in.row(source, cell.head, cell.row);
    const double logit = ids[1] ? static_cast<double>(in.number({*ids[1], 0, 0, cell.head})) : 0;
    explanation.is_softmax = true;
    explanation.row_max = static_cast<double>(*std::max_element(scores.begin(), scores.end()));
    if (ids[1]) explanation.row_max = std::max(explanation.row_max, logit);
    explanation.score = is_sink ? logit : static_cast<double>(scores(cell.column));
    explanation.divisor = 0;
    const auto add = [&](double score, const CellRef& of, bool is_number) {
        const double exponential = portable::exp(score - explanation.row_max);
        const Term term = single({.value = exponential, .has_source = true, .source = of}, "exp");
        explanation.divisor += exponential;
        explanation.divisor_terms.push_back(term);
        if (is_number) explanation.terms.push_back(term);
    };
    for (int j = 0; j < length(scores, 0); ++j) {
        if (is_masked_stage(source) && in.hides(cell.row, j)) continue;
        add(static_cast<double>(scores(j)), {source, cell.head, cell.row, j}, !is_sink && j == cell.column);
    }
    if (ids[1]) add(logit, {*ids[1], 0, 0, cell.head}, is_sink);
}

}  // namespace

void softmax_value(const Operands& in, CubeD& y) {
    const Exponentials e = exponentials(in);
    y += e.of_keys / e.sum;
}

void softmax_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    explain_softmax(in, ids, false, explanation);
}

void sink_share_value(const Operands& in, CubeD& y) {
    const Exponentials e = exponentials(in);
    y += e.of_sink / e.sum;
}

void sink_share_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    explain_softmax(in, ids, true, explanation);
}

// Backward through each row: grad_scores(j) = weights(j) * (grad(j) - average), the average being the sum over k of
// grad(k) * weights(k). All (num_heads, T, T).
void softmax_grad_value(const Operands& in, CubeD& grad_scores) {
    const CubeD &grad = in[0], &weights = in[1];
    const CubeD average = xt::sum(grad * weights, {2}, xt::keep_dims);  // (num_heads, T, 1)
    grad_scores += weights * (grad - average);
}

// Of a pattern (share - target) / rows with targets: what is left of the two gradients.
void softmax_grad_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const MaskAt mask_at = in.problem.settings.mask_at;
    if (in.problem.goal.kind == GoalKind::pattern) {
        const Vector* shares = target_shares(in.problem.goal, cell.head, cell.row);
        if (shares == nullptr) {
            explanation.terms.push_back(single(constant(0), "no target"));
            return;
        }
        const TensorId stage = mask_at == MaskAt::after_raw ? TensorId::unmasked_weights : TensorId::weights;
        explanation.terms.push_back(single(in.factor({stage, cell.head, cell.row, cell.column})));
        explanation.terms.push_back(single(constant(-static_cast<double>((*shares)(cell.column))), "target"));
        explanation.divisor = in.problem.goal.num_terms;
        return;
    }
    // Where rows were divided again after the mask, that division cancels.
    const bool is_divided = mask_at == MaskAt::after;
    const TensorId gradient = is_divided ? TensorId::grad_weights : *ids[0];
    const TensorId weights = is_divided ? TensorId::weights : *ids[1];
    Term average = average_term(in, gradient, weights, explanation);
    average.b = in.factor({weights, cell.head, cell.row, cell.column});
    explanation.terms.push_back(product(in.factor({gradient, cell.head, cell.row, cell.column}), average.b));
    explanation.terms.push_back(average);
}

void sink_grad_value(const Operands& in, CubeD& grad_sink) {
    const CubeD &grad = in[0], &y = in[1];
    const CubeD average = xt::sum(grad * y, {2}, xt::keep_dims);
    const CubeD row_sum = xt::sum(y, {2}, xt::keep_dims);
    for_each_cell(row_sum, [&](int h, int i, int) { grad_sink(0, 0, h) -= (1 - row_sum(h, i, 0)) * average(h, i, 0); });
}

void sink_grad_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const int h = explanation.cell.column;
    const Goal& goal = in.problem.goal;
    const bool is_pattern = goal.kind == GoalKind::pattern;
    for (int i = 0; i < in.rows_of(*ids[1]); ++i) {
        if (is_pattern && target_shares(goal, h, i) == nullptr) continue;
        const double factor = is_pattern ? 1.0 / goal.num_terms : -static_cast<double>(in.average_gradient(h, i));
        explanation.terms.push_back(
            product(in.factor({TensorId::sink_weights, h, i, 0}), constant(factor), is_pattern ? "" : "average"));
    }
    if (explanation.terms.empty()) explanation.terms.push_back(single(constant(0), "no target"));
}

Term average_term(const Cells& in, TensorId gradient, TensorId weights, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const Vector g = in.row(gradient, cell.head, cell.row), a = in.row(weights, cell.head, cell.row);
    double average = 0;
    for (int j = 0; j < length(g, 0); ++j) {
        if (is_masked_stage(weights) && in.hides(cell.row, j)) continue;
        explanation.average_terms.push_back(product(cell_value(g(j), {gradient, cell.head, cell.row, j}),
                                                    cell_value(a(j), {weights, cell.head, cell.row, j})));
        average += explanation.average_terms.back().product();
    }
    return single(constant(-average), "average");
}

}  // namespace attn
