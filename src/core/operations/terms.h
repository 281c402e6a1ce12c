// The terms of operations: what one number on the screen is made of, in the order in which it is added up. Values are
// the floats that the screen shows, so that a reader who does the sum by hand gets the number shown.
#pragma once

#include <string>
#include <utility>

#include "core/attention/attention.h"
#include "core/graph/explanation.h"
#include "core/operations/layer_rows.h"
#include "core/words/embeddings.h"

namespace attn {

// The numbers on the screen.
class Cells {
public:
    const AttentionProblem& problem;

    // Row `row` of any tensor of the layer. `head` is one of the query heads, or 0 for tensors without heads.
    virtual Vector row(TensorId tensor, int head, int row) const = 0;
    virtual float number(const CellRef& cell) const = 0;
    // What the embeddings were made of.
    virtual const EmbeddingParts& embedding_parts() const = 0;
    // What the softmax takes off every gradient of a row: the sum of gradient * weight.
    virtual float average_gradient(int head, int row) const = 0;

    Factor factor(const CellRef& cell) const {
        return {.value = static_cast<double>(number(cell)), .has_source = true, .source = cell};
    }
    bool hides(int query, int key) const { return problem.hidden(query, key) != 0; }
    int rows_of(TensorId tensor) const { return extent_of(sizes_, tensor).rows; }
    int columns_of(TensorId tensor) const { return extent_of(sizes_, tensor).columns; }
    // The columns of all heads side by side.
    int merged_columns_of(TensorId tensor) const { return whole_extent(sizes_, tensor).columns; }
    // How many query heads share one matrix of the tensor.
    int readers_of(TensorId tensor) const { return has_kv_heads(tensor) ? problem.heads_per_kv_head() : 1; }

    // What names the matrix of a tensor that a query head reads: the head, or 0 where there is one for all.
    static int head_in(TensorId tensor, int head) { return dims_of(tensor).matrices == Dim::one ? 0 : head; }

    // The column of a cell where all heads stand side by side, and the cell that has such a column.
    int merged_column(const CellRef& cell) const {
        return cell.head / readers_of(cell.tensor) * columns_of(cell.tensor) + cell.column;
    }
    CellRef cell_of_merged(TensorId tensor, int row, int column) const {
        const int columns = columns_of(tensor);
        return {tensor, column / columns * readers_of(tensor), row, column % columns};
    }

protected:
    explicit Cells(const AttentionProblem& of) : problem(of), sizes_(sizes_of(of)) {}
    ~Cells() = default;

private:
    Sizes sizes_;
};

// Adds the terms of the number at explanation.cell, which `operation` makes of `operands`; a gradient may have terms of
// several operations. Where the number is more than one sum, fills in the rest of the explanation.
void add_terms(Operation operation, const Cells& in, const OperandIds& operands, Explanation& explanation);

inline Factor constant(double value) {
    return {.value = value, .has_source = false, .source = {}};
}
inline Factor cell_value(float value, const CellRef& source) {
    return {.value = static_cast<double>(value), .has_source = true, .source = source};
}
inline Term product(const Factor& a, const Factor& b, std::string label = "") {
    return {.a = a, .b = b, .label = std::move(label)};
}
inline Term single(const Factor& factor, std::string label = "") {
    return product(factor, constant(1), std::move(label));
}

}  // namespace attn
