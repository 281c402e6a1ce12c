// The products of heads. dot: y(i, j) = row i of a . row j of b, as scores are of queries and keys (Vaswani et al.
// 2017, equation 1). mix: y(i) = sum over j of a(i, j) * row j of b, as the context is of weights and values. Each is
// the other's backward pass; mix_by_key sums over the queries, and over the heads that share a key.
#include "core/operations/operations.h"

namespace attn {
namespace {

// With a mask a hidden key is left out, whatever its value is.
bool is_left_out(const Operands& in, int i, int j) {
    return in.has(2) && in.hides(i, j);
}

// Without one the gradient of a hidden score is left out where it is 0.
bool is_left_out(const Cells& in, const OperandIds& ids, const Factor& weight, int i, int j) {
    if (ids[2]) return in.hides(i, j);
    return weight.value == 0 && dims_of(weight.source.tensor).columns == Dim::keys && in.hides(i, j);
}

// The products of two rows, number by number.
void add_dot_terms(const Cells& in, const CellRef& a, const CellRef& b, Explanation& explanation) {
    const Vector row_a = in.row(a.tensor, a.head, a.row), row_b = in.row(b.tensor, b.head, b.row);
    for (int c = 0; c < length(row_a, 0); ++c)
        explanation.terms.push_back(product(cell_value(row_a(c), {a.tensor, a.head, a.row, c}),
                                            cell_value(row_b(c), {b.tensor, b.head, b.row, c})));
}

}  // namespace

void dot_value(const Operands& in, CubeD& y) {
    const CubeD &a = in[0], &b = in[1];
    for_each_cell(y, [&](int h, int i, int j) {
        const int shared = shared_head(h, length(y, 0), b);
        for (int c = 0; c < length(a, 2); ++c) y(h, i, j) += a(h, i, c) * b(shared, j, c);
    });
}

void dot_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    add_dot_terms(in, {*ids[0], cell.head, cell.row, 0}, {*ids[1], cell.head, cell.column, 0}, explanation);
}

void mix_value(const Operands& in, CubeD& y) {
    const CubeD &a = in[0], &b = in[1];
    for_each_cell(a, [&](int h, int i, int j) {
        if (is_left_out(in, i, j)) return;
        const int shared = shared_head(h, length(a, 0), b);
        for (int c = 0; c < length(y, 2); ++c) y(h, i, c) += a(h, i, j) * b(shared, j, c);
    });
}

void mix_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const Vector a = in.row(*ids[0], cell.head, cell.row);
    for (int j = 0; j < length(a, 0); ++j) {
        const Factor weight = cell_value(a(j), {*ids[0], cell.head, cell.row, j});
        if (is_left_out(in, ids, weight, cell.row, j)) continue;
        explanation.terms.push_back(
            product(weight, in.factor({*ids[1], in.head_in(*ids[1], cell.head), j, cell.column})));
    }
}

void mix_by_key_value(const Operands& in, CubeD& y) {
    const CubeD &a = in[0], &b = in[1];
    for_each_cell(a, [&](int h, int i, int j) {
        if (is_left_out(in, i, j)) return;
        const int shared = shared_head(h, length(a, 0), y);
        for (int c = 0; c < length(y, 2); ++c) y(shared, j, c) += a(h, i, j) * b(h, i, c);
    });
}

void mix_by_key_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const int readers = in.readers_of(cell.tensor), first = cell.head / readers * readers;
    for (int h = first; h < first + readers; ++h) {
        for (int i = 0; i < in.rows_of(*ids[0]); ++i) {
            const Factor weight = in.factor({*ids[0], h, i, cell.row});
            if (is_left_out(in, ids, weight, i, cell.row)) continue;
            explanation.terms.push_back(product(weight, in.factor({*ids[1], h, i, cell.column})));
        }
    }
}

void mix_grad_weights_value(const Operands& in, CubeD& grad_weights) {
    const CubeD &grad_y = in[0], &b = in[1];
    for_each_cell(grad_weights, [&](int h, int i, int j) {
        if (in.hides(i, j)) return;
        const int shared = shared_head(h, length(grad_weights, 0), b);
        for (int c = 0; c < length(b, 2); ++c) grad_weights(h, i, j) += grad_y(h, i, c) * b(shared, j, c);
    });
}

void mix_grad_weights_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    if (in.hides(cell.row, cell.column)) {
        explanation.terms.push_back(single(constant(0), "hidden"));
    } else {
        add_dot_terms(in, {*ids[0], cell.head, cell.row, 0}, {*ids[1], cell.head, cell.column, 0}, explanation);
    }
}

}  // namespace attn
