// Looks for what the rows name in a problem.
#include "core/operations/layer_rows.h"

#include <algorithm>
#include <span>

namespace attn {
namespace {

std::optional<TensorId> found_in(const LayerKind& layer, const Operand& operand) {
    for (const TensorId id : operand.ids()) {
        if (layer.has(id)) return id;
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
std::vector<FoundRow> rows_of_goal(const LayerKind& layer) {
    const GoalKind goal = layer.goal();
    if (goal == GoalKind::pattern) return {{TensorId::grad_weights, Operation::pattern_grad, {TensorId::weights}}};
    const TensorId at = layer.has(TensorId::capped_logits) ? TensorId::grad_capped_logits : TensorId::grad_logits;
    if (goal == GoalKind::next) return {{at, Operation::next_grad, {TensorId::probabilities}}};
    return {};
}

std::string name_of(const std::optional<TensorId>& tensor) {
    return std::string(tensor == TensorId::embeddings ? "X" : tensor_name(*tensor));
}

// What one row adds, in matrices; empty where it is no product of any kind.
std::string formula_of(const FoundRow& row) {
    const std::string first = name_of(row.operands[0]);
    switch (row.operation) {
        case Operation::project_grad_x:
            return row.operands[1] ? first + " · " + name_of(row.operands[1]) + "ᵀ" : first;
        case Operation::project_grad_w:
            return name_of(row.operands[1]) + "ᵀ · " + first;
        case Operation::project_grad_b:
            return first + ", summed over the tokens";
        case Operation::mix:
            return first + " · " + name_of(row.operands[1]);
        case Operation::mix_by_key:
            return first + "ᵀ · " + name_of(row.operands[1]);
        case Operation::mix_grad_weights:
            return first + " · " + name_of(row.operands[1]) + "ᵀ";
        case Operation::split:
            return first + ", cut into heads";
        case Operation::rms_norm_grad_x:
            return "(" + first + " · " + name_of(row.operands[2]) + " - " + name_of(row.operands[1]) +
                   " · the average of " + first + " · " + name_of(tensor_of_gradient(*row.operands[0])) +
                   " / rms) / rms";
        case Operation::rms_norm_grad_w:
            return first + " · " + name_of(row.operands[1]) + " / rms, summed over heads and tokens";
        case Operation::rotate_grad:
            return row.operands[1] ? "the first numbers of " + first : first + ", each pair turned back";
        case Operation::rotate_own_grad:
            return "the last numbers of " + first +
                   (row.result == TensorId::grad_position_keys ? ", summed over the heads" : "") +
                   ", each pair turned back";
        case Operation::copy:
            return first;
        case Operation::scale:
            return first + " / (scale · temperature)";
        case Operation::cap_grad:
            return first + " · (1 - (" + name_of(row.operands[1]) + " / cap)²)";
        case Operation::drop:
            return first + " · keep mask / (1 - p)";
        default:
            return "";
    }
}

}  // namespace

LayerKind::LayerKind(const AttentionProblem& problem)
    : parts_(layer_parts(problem)), goal_(problem.goal.kind), projections_(&*problem.projections) {}

bool LayerKind::has(TensorId tensor) const {
    if (is_stage(tensor)) return has_stage(tensor, goal_, parts_);
    if (tensor == TensorId::keep_mask) return parts_.has_dropout;
    if (!is_learned(tensor)) return true;
    return projections_ != nullptr ? !numbers_of(*projections_, tensor).empty() : has_learned(tensor, parts_);
}

std::vector<FoundRow> forward_rows(const LayerKind& layer) {
    std::vector<FoundRow> rows;
    for (const LayerRow& row : kLayerRows) {
        if (!layer.has(row.result)) continue;
        FoundRow found{.result = row.result, .operation = row.operation, .operands = {}};
        for (std::size_t n = 0; n < row.operands.size(); ++n) found.operands[n] = found_in(layer, row.operands[n]);
        if (found.operands[0]) rows.push_back(found);
    }
    return rows;
}

std::vector<FoundRow> backward_rows(const LayerKind& layer) {
    std::vector<FoundRow> rows = rows_of_goal(layer);
    const std::vector<FoundRow> forward = forward_rows(layer);
    for (auto row = forward.rbegin(); row != forward.rend(); ++row) {
        const std::vector<FoundRow> more = backward_rows_of(*row);
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

std::vector<FoundRow> rows_of_gradient(const LayerKind& layer, TensorId gradient) {
    std::vector<FoundRow> rows = backward_rows(layer);
    std::erase_if(rows, [&](const FoundRow& row) {
        return row.result != gradient || std::ranges::any_of(row.operands, [&](const std::optional<TensorId>& operand) {
                   return operand && is_gradient(*operand) && !layer.has(*operand);
               });
    });
    std::ranges::reverse(rows);
    return rows;
}

std::string formula_of_gradient(const LayerKind& layer, TensorId gradient) {
    std::string formula;
    for (const FoundRow& row : rows_of_gradient(layer, gradient)) {
        const std::string product = formula_of(row);
        if (product.empty()) return "";
        formula += (formula.empty() ? "" : " + ") + product;
    }
    return formula;
}

std::vector<TensorId> sources_of(TensorId stage) {
    std::vector<TensorId> sources;
    const auto add_row = [&](const FoundRow& row) {
        if (row.result != stage) return;
        for (const std::optional<TensorId>& operand : row.operands) {
            if (operand && std::ranges::find(sources, *operand) == sources.end()) sources.push_back(*operand);
        }
    };
    for (const GoalKind goal : {GoalKind::pattern, GoalKind::next}) {
        for (const bool is_capped : {false, true})
            std::ranges::for_each(rows_of_goal(LayerKind({.has_logit_cap = is_capped}, goal)), add_row);
    }
    for (const LayerRow& row : kLayerRows) {
        for (const std::size_t choice : {0U, 1U, 2U}) {  // of operands that may be one tensor or another
            FoundRow found{.result = row.result, .operation = row.operation, .operands = {}};
            for (std::size_t n = 0; n < row.operands.size(); ++n) {
                const std::span<const TensorId> ids = row.operands[n].ids();
                if (!ids.empty()) found.operands[n] = ids[std::min(choice, ids.size() - 1)];
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

bool row_has_known_sum(TensorId stage) {
    for (const LayerRow& row : kLayerRows) {
        if (row.operation == Operation::softmax && row.result == stage) return true;
        const std::span<const TensorId> ids = row.operands[0].ids();
        if (std::ranges::none_of(ids, [&](TensorId id) { return gradient_of(id) == stage; })) continue;
        if (row.operation == Operation::softmax) return true;
        const bool is_passed_on = std::ranges::any_of(kBackwardRows, [&](const BackwardRow& backward) {
            return backward.of == row.operation &&
                   (backward.adds == Operation::copy || backward.adds == Operation::scale);
        });
        if (is_passed_on && row_has_known_sum(*gradient_of(row.result))) return true;
    }
    return false;
}

}  // namespace attn
