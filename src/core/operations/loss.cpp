// The losses of goal.h and where their gradients begin: -p / A at the weights of a pattern, and (probability - 1 for
// the word that follows) at the logits. Both are divided by the number of terms that the loss is the mean of.
#include <cmath>

#include "core/operations/operations.h"

namespace attn {

double loss_of(const AttentionProblem& problem, const LayerValues& values) {
    const Goal& goal = problem.goal;
    double loss = 0;
    for (const TargetRow& row : goal.rows) {
        for (int j = 0; j < problem.num_tokens(); ++j) {
            const double share = static_cast<double>(row.shares(j));
            if (share > 0) loss -= share * std::log(values.of(TensorId::weights)(row.head, row.query, j));
        }
    }
    for (int i = 0; i < static_cast<int>(goal.next.size()); ++i) {
        const int next = goal.next[static_cast<std::size_t>(i)];
        if (next >= 0) loss -= std::log(values.of(TensorId::probabilities)(0, i, next));
    }
    return goal.kind == GoalKind::none ? 0 : loss / goal.num_terms;
}

void pattern_grad_value(const Operands& in, CubeD& grad_weights) {
    const Goal& goal = in.problem.goal;
    for (const TargetRow& row : goal.rows) {
        for (int j = 0; j < length(grad_weights, 2); ++j) {
            const double share = static_cast<double>(row.shares(j));
            if (share > 0)
                grad_weights(row.head, row.query, j) -= share / in[0](row.head, row.query, j) / goal.num_terms;
        }
    }
}

void pattern_grad_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const Vector* shares = target_shares(in.problem.goal, cell.head, cell.row);
    const float share = shares == nullptr ? 0 : (*shares)(cell.column);
    if (share == 0) {
        explanation.terms.push_back(single(constant(0), "no target"));
        return;
    }
    const Factor weight = in.factor({*ids[0], cell.head, cell.row, cell.column});
    explanation.terms.push_back(single(constant(-static_cast<double>(share)), "target"));
    explanation.divisor_terms = {product(weight, constant(in.problem.goal.num_terms))};
    explanation.divisor = explanation.divisor_terms.front().product();
}

void next_grad_value(const Operands& in, CubeD& grad_logits) {
    const Goal& goal = in.problem.goal;
    for_each_cell(grad_logits, [&](int, int i, int v) {
        const int next = goal.next[static_cast<std::size_t>(i)];
        if (next >= 0) grad_logits(0, i, v) += (in[0](0, i, v) - (v == next ? 1 : 0)) / goal.num_terms;
    });
}

void next_grad_terms(const Cells& in, const OperandIds& ids, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const int next = in.problem.goal.next[static_cast<std::size_t>(cell.row)];
    if (next < 0) {
        explanation.terms.push_back(single(constant(0), "no word follows"));
        return;
    }
    copy_terms(in, ids, explanation);
    if (next == cell.column) explanation.terms.push_back(single(constant(-1), "wanted word"));
    explanation.divisor = in.problem.goal.num_terms;
}

}  // namespace attn
