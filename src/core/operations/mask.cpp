// The mask before the softmax: hidden keys get a score of -inf. And after it: they lose their weight, and each row may
// be divided by the sum of what is left. Backward through that division: (g_j - sum over k of g_k A_k) / row sum.
#include <limits>

#include "core/operations/operations.h"

namespace attn {
namespace {

bool is_divided(const AttentionProblem& problem) {
    return problem.settings.mask_at == MaskAt::after;
}

// The sum of a row of unmasked weights over the keys that the query sees.
void explain_division(const Cells& in, TensorId unmasked, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const Vector row = in.row(unmasked, cell.head, cell.row);
    explanation.divisor = 0;
    for (int j = 0; j < length(row, 0); ++j) {
        if (in.hides(cell.row, j)) continue;
        explanation.divisor_terms.push_back(single(cell_value(row(j), {unmasked, cell.head, cell.row, j})));
        explanation.divisor += explanation.divisor_terms.back().product();
    }
}

}  // namespace

void mask_value(const Operands& in, CubeD& y) {
    for_each_cell(y, [&](int h, int i, int j) {
        y(h, i, j) += in.hides(i, j) ? -std::numeric_limits<double>::infinity() : in[0](h, i, j);
    });
}

void mask_weights_value(const Operands& in, CubeD& y) {
    CubeD row_sum = zeros<CubeD>(y.shape(0), y.shape(1), 1);
    for_each_cell(y, [&](int h, int i, int j) {
        if (!in.hides(i, j)) row_sum(h, i, 0) += in[0](h, i, j);
    });
    for_each_cell(y, [&](int h, int i, int j) {
        const double weight = in.hides(i, j) ? 0 : in[0](h, i, j);
        y(h, i, j) += is_divided(in.problem) ? weight / row_sum(h, i, 0) : weight;
    });
}

void mask_weights_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    copy_terms(in, ids, explanation);
    if (is_divided(in.problem)) explain_division(in, *ids[0], explanation);
}

void mask_weights_grad_value(const Operands& in, CubeD& grad) {
    const CubeD &grad_y = in[0], &y = in[1], &x = in[2];
    CubeD average = zeros<CubeD>(y.shape(0), y.shape(1), 1), row_sum = average;
    for_each_cell(y, [&](int h, int i, int j) {
        if (in.hides(i, j)) return;
        average(h, i, 0) += grad_y(h, i, j) * y(h, i, j);
        row_sum(h, i, 0) += x(h, i, j);
    });
    for_each_cell(y, [&](int h, int i, int j) {
        if (in.hides(i, j)) return;
        grad(h, i, j) +=
            is_divided(in.problem) ? (grad_y(h, i, j) - average(h, i, 0)) / row_sum(h, i, 0) : grad_y(h, i, j);
    });
}

void mask_weights_grad_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    if (in.hides(cell.row, cell.column)) {
        explanation.terms.push_back(single(constant(0), "hidden"));
        return;
    }
    copy_terms(in, ids, explanation);
    if (!is_divided(in.problem)) return;
    explanation.terms.push_back(average_term(in, *ids[0], *ids[1], explanation));
    explain_division(in, *ids[2], explanation);
}

}  // namespace attn
