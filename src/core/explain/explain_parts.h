// What explanations are put together of: factors, terms, and the numbers of a trace with the cells they stand in.
#pragma once

#include <string>
#include <utility>

#include "core/explain/explanation.h"
#include "core/explain/stage_numbers.h"

namespace attn {

inline Factor constant(double value) {
    return {.value = value, .has_source = false, .source = {}};
}

inline Factor cell_value(float value, CellRef source) {
    return {.value = static_cast<double>(value), .has_source = true, .source = source};
}

inline Term single(Factor factor, std::string label = "") {
    return {.a = factor, .b = constant(1), .label = std::move(label)};
}

struct TraceCells {
    const AttentionProblem& problem;
    const AttentionTrace& trace;

    // Row i of a stage for head h.
    Vector row(TensorId stage, int h, int i) const { return stage_row(problem, trace, stage, h, i); }

    Factor factor(const CellRef& cell) const {
        return cell_value(row(cell.tensor, cell.head, cell.row)(cell.column), cell);
    }

    // One number taken over from the same cell of another stage, or from another cell.
    Term copied(TensorId stage, const CellRef& cell) const {
        return single(factor({stage, cell.head, cell.row, cell.column}));
    }
};

}  // namespace attn
