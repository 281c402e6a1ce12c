// The queries times what makes keys of latents: y(h, i, l) = sum over c of query(h, i, c) * w_key(l, column of c). A
// score is then a product with a latent instead of a key: the same number by another order of the products, which is
// why the cache need not have keys. DeepSeek-V2, 2405.04434, section 2.1.2.
#include "core/operations/operations.h"

namespace attn {

void absorb_value(const Operands& in, CubeD& y) {
    const CubeD &query = in[0], &w_key = in[1];
    for_each_cell(y, [&](int h, int i, int l) {
        const int first = in.problem.kv_head(h) * in.problem.head_dim();
        for (int c = 0; c < length(query, 2); ++c) y(h, i, l) += query(h, i, c) * w_key(0, l, first + c);
    });
}

void absorb_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const Vector query = in.row(*ids[0], cell.head, cell.row);
    const int first = in.problem.kv_head(cell.head) * in.problem.head_dim();
    for (int c = 0; c < length(query, 0); ++c)
        explanation.terms.push_back(product(cell_value(query(c), {*ids[0], cell.head, cell.row, c}),
                                            in.factor({*ids[1], 0, cell.column, first + c})));
}

}  // namespace attn
