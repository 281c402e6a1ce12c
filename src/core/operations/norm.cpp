// y = w x / rms(x), each row x over the root of the mean of its squares + eps (Zhang and Sennrich 2019, 1910.07467,
// equation 4): queries and keys of each head before they meet (Henry et al. 2020, 2010.04245; Qwen3, 2505.09388).
// Backward, with n = x / rms: grad_x = (w grad_y - n mean(w grad_y n)) / rms, grad_w = the sum of grad_y n.
#include <cmath>
#include <xtensor/core/xmath.hpp>

#include "core/attention/rms_norm.h"
#include "core/operations/operations.h"

namespace attn {
namespace {

// The mean of each row, (matrices, rows, 1).
CubeD row_means(const CubeD& x) {
    const CubeD sums = xt::sum(x, {2}, xt::keep_dims);
    return sums / static_cast<double>(x.shape(2));
}

CubeD rms_of_rows(const CubeD& x) {
    return xt::sqrt(row_means(xt::square(x)) + kQueryKeyNormEps);
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
    y += in[1] * (in[0] / rms_of_rows(in[0]));
}

void rms_norm_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    explanation.terms.push_back(
        product(in.factor({*ids[0], cell.head, cell.row, cell.column}), in.factor({*ids[1], 0, 0, cell.column})));
    explain_divisor(in, *ids[0], explanation);
}

void rms_norm_grad_x_value(const Operands& in, CubeD& grad_x) {
    const CubeD weighed = in[0] * in[2], rms = rms_of_rows(in[1]), normed = in[1] / rms;
    grad_x += (weighed - normed * row_means(weighed * normed)) / rms;
}

// With y = w n the mean is that of grad_y y.
void rms_norm_grad_x_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const TensorId y = tensor_of_gradient(*ids[0]);
    const Vector grad_y = in.row(*ids[0], cell.head, cell.row), normed = in.row(y, cell.head, cell.row);
    explain_divisor(in, *ids[1], explanation);
    double sum = 0;
    for (int k = 0; k < length(normed, 0); ++k) {
        explanation.average_terms.push_back(product(cell_value(grad_y(k), {*ids[0], cell.head, cell.row, k}),
                                                    cell_value(normed(k), {y, cell.head, cell.row, k})));
        sum += explanation.average_terms.back().product();
    }
    explanation.average_divisor = length(normed, 0) * explanation.divisor;
    const Factor x = in.factor({*ids[1], cell.head, cell.row, cell.column});
    explanation.terms.push_back(product(cell_value(grad_y(cell.column), {*ids[0], cell.head, cell.row, cell.column}),
                                        in.factor({*ids[2], 0, 0, cell.column})));
    explanation.terms.push_back(product(constant(-sum / explanation.average_divisor), x, "average"));
}

void rms_norm_grad_w_value(const Operands& in, CubeD& grad_w) {
    const CubeD products = in[0] * in[1] / rms_of_rows(in[1]);
    const CubeD sums = xt::sum(products, {0, 1}, xt::keep_dims);
    grad_w += sums;
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
