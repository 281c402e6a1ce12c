// y = x . w + b, cut into heads: head h has columns h * head_dim to (h + 1) * head_dim. Without w it is x itself
// (simplified self-attention). Backward: grad_x = grad_y . w^T, grad_w = x^T . grad_y, grad_b = the sum of grad_y's
// rows. Vaswani et al. 2017, section 3.2.2.
#include <algorithm>

#include "core/operations/operations.h"

namespace attn {
namespace {

// Calls visit(matrix, row, column, that column before the cut into heads).
template <class Visit>
void for_each_projected(const CubeD& y, const Visit& visit) {
    for_each_cell(y, [&](int h, int i, int c) { visit(h, i, c, h * length(y, 2) + c); });
}

// The typed number at this place, if somebody typed one: no gradient goes through it.
const TypedNumber* typed_at(const AttentionProblem& problem, TensorId stage, int row, int merged_column) {
    const auto found =
        std::find_if(problem.typed_roles.begin(), problem.typed_roles.end(), [&](const TypedNumber& typed) {
            return typed.role == stage && typed.row == row && typed.column == merged_column;
        });
    return found == problem.typed_roles.end() ? nullptr : &*found;
}

// Calls add(gradient) for each number of a column of grad_y, before the cut into heads, that was not typed.
template <class Add>
void for_each_in_column(const Cells& in, TensorId grad_y, int column, const Add& add) {
    for (int i = 0; i < in.rows_of(grad_y); ++i) {
        if (typed_at(in.problem, tensor_of_gradient(grad_y), i, column) == nullptr)
            add(in.factor(in.cell_of_merged(grad_y, i, column)));
    }
}

}  // namespace

void project_value(const Operands& in, CubeD& y) {
    const CubeD& x = in[0];
    for_each_projected(y, [&](int h, int i, int c, int column) {
        if (!in.has(1)) {
            y(h, i, c) += x(0, i, column);
            return;
        }
        for (int k = 0; k < length(x, 2); ++k) y(h, i, c) += x(0, i, k) * in[1](0, k, column);
        if (in.has(2)) y(h, i, c) += in[2](0, 0, column);
    });
}

void project_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const int column = in.merged_column(cell);
    if (const TypedNumber* typed = typed_at(in.problem, cell.tensor, cell.row, column); typed != nullptr) {
        explanation.terms.push_back(single(constant(static_cast<double>(typed->value)), "typed"));
        return;
    }
    if (!ids[1]) {
        explanation.terms.push_back(single(in.factor({*ids[0], 0, cell.row, column})));
        return;
    }
    const Vector x = in.row(*ids[0], 0, cell.row);
    for (int k = 0; k < length(x, 0); ++k)
        explanation.terms.push_back(
            product(cell_value(x(k), {*ids[0], 0, cell.row, k}), in.factor({*ids[1], 0, k, column})));
    if (ids[2]) explanation.terms.push_back(single(in.factor({*ids[2], 0, 0, column}), "bias"));
}

void project_grad_x_value(const Operands& in, CubeD& grad_x) {
    const CubeD& grad_y = in[0];
    for_each_projected(grad_y, [&](int h, int i, int c, int column) {
        if (!in.has(1)) grad_x(0, i, column) += grad_y(h, i, c);
        for (int k = 0; in.has(1) && k < length(grad_x, 2); ++k)
            grad_x(0, i, k) += grad_y(h, i, c) * in[1](0, k, column);
    });
}

void project_grad_x_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const TensorId grad_y = *ids[0];
    const int num_columns = in.merged_columns_of(grad_y);
    for (int column = 0; column < num_columns; ++column) {
        const bool is_of_cell = ids[1] || column == cell.column;
        if (!is_of_cell || typed_at(in.problem, tensor_of_gradient(grad_y), cell.row, column) != nullptr) continue;
        const Factor gradient = in.factor(in.cell_of_merged(grad_y, cell.row, column));
        explanation.terms.push_back(ids[1] ? product(gradient, in.factor({*ids[1], 0, cell.column, column}))
                                           : single(gradient));
    }
}

void project_grad_w_value(const Operands& in, CubeD& grad_w) {
    const CubeD &grad_y = in[0], &x = in[1];
    for_each_projected(grad_y, [&](int h, int i, int c, int column) {
        for (int k = 0; k < length(x, 2); ++k) grad_w(0, k, column) += x(0, i, k) * grad_y(h, i, c);
    });
}

void project_grad_w_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    for_each_in_column(in, *ids[0], cell.column, [&](const Factor& gradient) {
        explanation.terms.push_back(product(in.factor({*ids[1], 0, gradient.source.row, cell.row}), gradient));
    });
}

void project_grad_b_value(const Operands& in, CubeD& grad_b) {
    for_each_projected(in[0], [&](int h, int i, int c, int column) { grad_b(0, 0, column) += in[0](h, i, c); });
}

void project_grad_b_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    for_each_in_column(in, *ids[0], explanation.cell.column,
                       [&](const Factor& gradient) { explanation.terms.push_back(single(gradient)); });
}

}  // namespace attn
