// The rows that one problem has.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/attention/attention.h"
#include "core/operations/operation.h"

namespace attn {

// The tensors that an operation takes; nothing where the layer has none.
using OperandIds = std::array<std::optional<TensorId>, 3>;

struct FoundRow {
    TensorId result;
    Operation operation;
    OperandIds operands;
};

// The forward pass in the order in which it is computed. One row makes each stage.
std::vector<FoundRow> forward_rows(const AttentionProblem& problem);

// The backward pass in the order in which it is computed. Rows with the same result add up; what begins is the goal,
// where the problem has one. Rows that no gradient gets to are among them: those before the weights, for a pattern.
std::vector<FoundRow> backward_rows(const AttentionProblem& problem);

// Everything that a stage is made of in any problem, in the order of the rows.
std::vector<TensorId> sources_of(TensorId stage);
bool has_source(TensorId stage, TensorId source);

}  // namespace attn
