// The rows that one layer has.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/attention.h"
#include "core/operations/operation.h"

namespace attn {

// What decides which rows there are: a problem, or what decides its stages.
class LayerKind {
public:
    LayerKind(const AttentionProblem& problem);
    LayerKind(const LayerParts& parts, GoalKind goal) : parts_(parts), goal_(goal) {}

    bool has(TensorId tensor) const;
    GoalKind goal() const { return goal_; }

private:
    LayerParts parts_;
    GoalKind goal_;
    const Projections* projections_ = nullptr;  // a model may have a bias of some and none of others
};

// The tensors that an operation takes; nothing where the layer has none.
using OperandIds = std::array<std::optional<TensorId>, 3>;

struct FoundRow {
    TensorId result;
    Operation operation;
    OperandIds operands;
};

// The forward pass in the order in which it is computed. One row makes each stage.
std::vector<FoundRow> forward_rows(const LayerKind& layer);

// The backward pass in the order in which it is computed. Rows with the same result add up; the row of the goal comes
// first, where the layer has one. Rows that no gradient reaches are among them: for a pattern those after the weights.
std::vector<FoundRow> backward_rows(const LayerKind& layer);

// What adds to one gradient, in the order in which the layer reads its tensor. Rows that no gradient reaches are left
// out.
std::vector<FoundRow> rows_of_gradient(const LayerKind& layer, TensorId gradient);

// The sum of what adds to it, "grad_latents · w_down_kvᵀ + grad_queries · w_queryᵀ"; empty where that is more than
// products.
std::string formula_of_gradient(const LayerKind& layer, TensorId gradient);

// Everything that a stage is made of in any problem, in the order of the rows.
std::vector<TensorId> sources_of(TensorId stage);
bool has_source(TensorId stage, TensorId source);

// Whether the numbers of each row of the stage add up to what everybody knows, in some layer: 1 behind a softmax (a
// sink, or a mask after it, may take some), 0 for the gradient before one and what that is copied or scaled to.
bool row_has_known_sum(TensorId stage);

}  // namespace attn
