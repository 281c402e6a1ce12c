// Asks the rows that make a number for its terms.
#include "core/explain/explain.h"

#include <span>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "core/learn/gradient_rows.h"
#include "core/operations/terms.h"

namespace attn {
namespace {

// The numbers of a trace.
class TraceCells final : public Cells {
public:
    TraceCells(const AttentionProblem& of, const AttentionTrace& trace, const EmbeddingParts& parts)
        : Cells(of), trace_(trace), parts_(parts) {}

    Vector row(TensorId tensor, int head, int row) const override {
        if (is_stage(tensor)) return stage_row(problem, trace_, tensor, head, row);
        Vector numbers = zeros<Vector>(columns_of(tensor));
        for (int c = 0; c < length(numbers, 0); ++c) numbers(c) = number({tensor, head, row, c});
        return numbers;
    }

    float number(const CellRef& cell) const override {
        if (is_stage(cell.tensor)) return stage_number(problem, trace_, cell.tensor, cell.head, cell.row, cell.column);
        if (cell.tensor == TensorId::vocabulary) return problem.goal.vocabulary(cell.row, cell.column);
        if (cell.tensor == TensorId::keep_mask) return trace_.keep(cell.head, cell.row, cell.column);
        return row_of_learned(problem.projections, cell.tensor, cell.row)[static_cast<std::size_t>(cell.column)];
    }

    float average_gradient(int head, int row) const override {
        return attn::average_gradient(problem, trace_, head, row);
    }

    const EmbeddingParts& embedding_parts() const override { return parts_; }

private:
    const AttentionTrace& trace_;
    const EmbeddingParts& parts_;
};

// What the other sentences of a batch add to the gradient of something learned, as one number.
void add_other_sentences(const AttentionTrace& trace, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const std::span<const float> own = parameter_gradient_row(trace, cell.tensor, cell.row, false);
    const double of_others =
        static_cast<double>(explanation.shown) - static_cast<double>(own[static_cast<std::size_t>(cell.column)]);
    if (of_others != 0) explanation.terms.push_back(single(constant(of_others), "other sentences"));
}

// The operations that read the tensor, in their order, each with what it adds to the gradient.
void explain_gradient(const TraceCells& in, const AttentionTrace& trace, Explanation& explanation) {
    for (const FoundRow& row : rows_of_gradient(in.problem, explanation.cell.tensor))
        add_terms(row.operation, in, row.operands, explanation);
    if (is_learned(tensor_of_gradient(explanation.cell.tensor))) add_other_sentences(trace, explanation);
    if (explanation.terms.empty()) explanation.terms.push_back(single(constant(0), "typed"));
}

}  // namespace

Explanation explain(const AttentionProblem& problem, const AttentionTrace& trace, const EmbeddingParts& parts,
                    TensorId stage, int head, int row, int column) {
    const TraceCells in(problem, trace, parts);
    const Vector shown_row = stage_row(problem, trace, stage, head, row);
    ATTN_CHECK(column >= 0 && column < length(shown_row, 0), "column is ", column, ", want 0 to ",
               length(shown_row, 0) - 1);

    Explanation explanation;
    explanation.cell = {stage, head, row, column};
    explanation.shown = shown_row(column);
    explanation.is_hidden = is_masked_stage(stage) && problem.hidden(row, column) != 0;
    if (explanation.is_hidden) return explanation;

    if (needs_goal(stage) && is_gradient(stage)) {
        explain_gradient(in, trace, explanation);
        return explanation;
    }
    for (const FoundRow& found : forward_rows(problem)) {
        if (found.result == stage) add_terms(found.operation, in, found.operands, explanation);
    }
    return explanation;
}

}  // namespace attn
