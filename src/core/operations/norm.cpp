// y = w x / rms(x), each row x over the root of the mean of its squares + eps (Zhang and Sennrich 2019, 1910.07467,
// equation 4): queries and keys of each head before they meet (Henry et al. 2020, 2010.04245; Qwen3, 2505.09388).
// Backward, with n = x / rms: grad_x = (w grad_y - n mean(w grad_y n)) / rms, grad_w = the sum of grad_y n.
#include <cmath>

#include "core/attention/rms_norm.h"
#include "core/operations/operations.h"

namespace attn {
namespace {

// Calls visit(matrix, row, its rms) for each row of x.
template <class Visit>
void for_each_normed(const CubeD& x, const Visit& visit) {
    for (int h = 0; h < length(x, 0); ++h) {
        for (int i = 0; i < length(x, 1); ++i) {
            double squares = 0;
            for (int c = 0; c < length(x, 2); ++c) squares += x(h, i, c) * x(h, i, c);
            visit(h, i, std::sqrt(squares / length(x, 2) + kQueryKeyNormEps));
        }
    }
}

// The divisor of a row, and the squares that it is the root mean of.
void explain_divisor(const Cells& in, TensorId x, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const Vector row = in.row(x, cell.head, cell.row);
    explanation.is_normed = true;
    explanation.divisor = rms_of(elements(row), kQueryKeyNormEps);
    for (int k = 0; k < length(row, 0); ++k) {
        const Factor one = cell_value(row(k), {x, cell.head, cell.row, k});
        explanation.divisor_terms.push_back(product(one, one));
    }
}

}  // namespace

void rms_norm_value(const Operands& in, CubeD& y) {
    for_each_normed(in[0], [&](int h, int i, double rms) {
        for (int c = 0; c < length(y, 2); ++c) y(h, i, c) += in[1](0, 0, c) * in[0](h, i, c) / rms;
    });
}

void rms_norm_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    explanation.terms.push_back(
        product(in.factor({*ids[0], cell.head, cell.row, cell.column}), in.factor({*ids[1], 0, 0, cell.column})));
    explain_divisor(in, *ids[0], explanation);
}

void rms_norm_grad_x_value(const Operands& in, CubeD& grad_x) {
    const CubeD &grad = in[0], &x = in[1], &w = in[2];
    for_each_normed(x, [&](int h, int i, double rms) {
        double average = 0;
        for (int c = 0; c < length(x, 2); ++c) average += w(0, 0, c) * grad(h, i, c) * x(h, i, c) / rms / length(x, 2);
        for (int c = 0; c < length(x, 2); ++c)
            grad_x(h, i, c) += (w(0, 0, c) * grad(h, i, c) - x(h, i, c) / rms * average) / rms;
    });
}

// With y = w n the mean is that of grad_y y.
void rms_norm_grad_x_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const TensorId y = tensor_of_gradient(*ids[0]);
    const Vector grad_y = in.row(*ids[0], cell.head, cell.row), normed = in.row(y, cell.head, cell.row);
    explain_divisor(in, *ids[1], explanation);
    for (int k = 0; k < length(normed, 0); ++k)
        explanation.average_terms.push_back(product(cell_value(grad_y(k), {*ids[0], cell.head, cell.row, k}),
                                                    cell_value(normed(k), {y, cell.head, cell.row, k})));
    explanation.average_divisor = length(normed, 0) * explanation.divisor;
    const Factor x = in.factor({*ids[1], cell.head, cell.row, cell.column});
    explanation.terms.push_back(product(cell_value(grad_y(cell.column), {*ids[0], cell.head, cell.row, cell.column}),
                                        in.factor({*ids[2], 0, 0, cell.column})));
    explanation.terms.push_back(product(constant(-explanation.average()), x, "average"));
}

void rms_norm_grad_w_value(const Operands& in, CubeD& grad_w) {
    for_each_normed(in[1], [&](int h, int i, double rms) {
        for (int c = 0; c < length(in[1], 2); ++c) grad_w(0, 0, c) += in[0](h, i, c) * in[1](h, i, c) / rms;
    });
}

// A term for each head and token: the gradient times the number over its row's rms.
void rms_norm_grad_w_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const TensorId x = *ids[1];
    for (int h = 0; h < in.problem.settings.num_heads; h += in.readers_of(x)) {
        for (int i = 0; i < in.rows_of(x); ++i) {
            const Vector row = in.row(x, h, i);
            Factor normed = cell_value(row(explanation.cell.column), {x, h, i, explanation.cell.column});
            normed.value /= rms_of(elements(row), kQueryKeyNormEps);
            explanation.terms.push_back(
                product(in.factor({*ids[0], h, i, explanation.cell.column}), normed, "over rms"));
        }
    }
}

}  // namespace attn
