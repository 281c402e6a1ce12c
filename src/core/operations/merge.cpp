// The heads' rows side by side, (num_heads, T, head_dim) to (T, d_out), and backward cut into heads again. Vaswani et
// al. 2017, section 3.2.2: Concat.
#include "core/operations/operations.h"

namespace attn {

void merge_value(const Operands& in, CubeD& y) {
    const CubeD& x = in[0];
    for_each_cell(x, [&](int h, int i, int c) { y(0, i, h * length(x, 2) + c) += x(h, i, c); });
}

void merge_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    explanation.terms.push_back(single(in.factor(in.cell_of_merged(*ids[0], cell.row, cell.column))));
}

void split_value(const Operands& in, CubeD& y) {
    for_each_cell(y, [&](int h, int i, int c) { y(h, i, c) += in[0](0, i, h * length(y, 2) + c); });
}

void split_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    explanation.terms.push_back(single(in.factor({*ids[0], 0, cell.row, in.merged_column(cell)})));
}

}  // namespace attn
