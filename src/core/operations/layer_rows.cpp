// Looks for what the rows name in a problem.
#include "core/operations/layer_rows.h"

#include <algorithm>
#include <span>

namespace attn {
namespace {

bool has_tensor(const AttentionProblem& problem, TensorId tensor) {
    if (is_stage(tensor)) return has_stage(problem, tensor);
    // A model may have a bias of some projections and none of others.
    if (is_learned(tensor)) return !numbers_of(*problem.projections, tensor).empty();
    if (tensor == TensorId::keep_mask) return has_stage(problem, TensorId::dropped_weights);
    return true;
}

std::optional<TensorId> found_in(const AttentionProblem& problem, const Operand& operand) {
    for (const TensorId id : operand.ids()) {
        if (has_tensor(problem, id)) return id;
    }
    return std::nullopt;
}

std::optional<TensorId> taken_from(const FoundRow& row, From from) {
    if (from == From::none) return std::nullopt;
    if (from == From::gradient) return gradient_of(row.result);
    if (from == From::result) return row.result;
    return row.operands[static_cast<std::size_t>(from) - static_cast<std::size_t>(From::first)];
}

// The backward pass of one row.
std::vector<FoundRow> backward_rows_of(const FoundRow& row) {
    std::vector<FoundRow> rows;
    for (const BackwardRow& backward : kBackwardRows) {
        const std::optional<TensorId> operand = row.operands[backward.operand];
        if (backward.of != row.operation || !operand || !gradient_of(*operand) || !gradient_of(row.result)) continue;
        FoundRow found{.result = *gradient_of(*operand), .operation = backward.adds, .operands = {}};
        for (std::size_t n = 0; n < found.operands.size(); ++n)
            found.operands[n] = taken_from(row, backward.operands[n]);
        rows.push_back(found);
    }
    return rows;
}

// Where the backward pass begins.
std::vector<FoundRow> rows_of_goal(GoalKind goal) {
    if (goal == GoalKind::pattern) return {{TensorId::grad_weights, Operation::pattern_grad, {TensorId::weights}}};
    if (goal == GoalKind::next) return {{TensorId::grad_logits, Operation::next_grad, {TensorId::probabilities}}};
    return {};
}

}  // namespace

std::vector<FoundRow> forward_rows(const AttentionProblem& problem) {
    std::vector<FoundRow> rows;
    for (const LayerRow& row : kLayerRows) {
        if (!has_stage(problem, row.result)) continue;
        FoundRow found{.result = row.result, .operation = row.operation, .operands = {}};
        for (std::size_t n = 0; n < row.operands.size(); ++n) found.operands[n] = found_in(problem, row.operands[n]);
        if (found.operands[0]) rows.push_back(found);
    }
    return rows;
}

std::vector<FoundRow> backward_rows(const AttentionProblem& problem) {
    std::vector<FoundRow> rows = rows_of_goal(problem.goal.kind);
    const std::vector<FoundRow> forward = forward_rows(problem);
    for (auto row = forward.rbegin(); row != forward.rend(); ++row) {
        const std::vector<FoundRow> more = backward_rows_of(*row);
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

std::vector<TensorId> sources_of(TensorId stage) {
    std::vector<TensorId> sources;
    const auto add_row = [&](const FoundRow& row) {
        if (row.result != stage) return;
        for (const std::optional<TensorId>& operand : row.operands) {
            if (operand && std::ranges::find(sources, *operand) == sources.end()) sources.push_back(*operand);
        }
    };
    for (const GoalKind goal : {GoalKind::pattern, GoalKind::next}) std::ranges::for_each(rows_of_goal(goal), add_row);
    for (const LayerRow& row : kLayerRows) {
        for (const bool is_first : {true, false}) {  // of operands that may be one tensor or another
            FoundRow found{.result = row.result, .operation = row.operation, .operands = {}};
            for (std::size_t n = 0; n < row.operands.size(); ++n) {
                const std::span<const TensorId> ids = row.operands[n].ids();
                if (!ids.empty()) found.operands[n] = is_first ? ids.front() : ids.back();
            }
            add_row(found);
            std::ranges::for_each(backward_rows_of(found), add_row);
        }
    }
    return sources;
}

bool has_source(TensorId stage, TensorId source) {
    const std::vector<TensorId> sources = sources_of(stage);
    return std::ranges::find(sources, source) != sources.end();
}

}  // namespace attn
