// Walks the rows of a layer, forward and backward.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/ground/check.h"
#include "core/ground/random.h"
#include "core/operations/layer_rows.h"
#include "core/operations/values.h"

namespace attn {
namespace {

CubeD zeros_of(const AttentionProblem& problem, TensorId tensor) {
    const Sizes sizes = sizes_of(problem);
    const Dims dims = dims_of(tensor);
    return zeros<CubeD>(sizes.of(dims.matrices), sizes.of(dims.rows), sizes.of(dims.columns));
}

template <class Number>
void put(const AttentionProblem& problem, TensorId tensor, std::span<const Number> numbers, LayerValues& values) {
    if (numbers.empty()) return;
    values.of(tensor) = zeros_of(problem, tensor);
    std::copy(numbers.begin(), numbers.end(), values.of(tensor).begin());
}

void nudge(const AttentionProblem& problem, const NudgedNumber& nudged, TensorId tensor, LayerValues& values) {
    if (nudged.by == 0 || nudged.tensor != tensor) return;
    CubeD& cube = values.of(tensor);
    const int head = length(cube, 0) == 1 ? 0 : shared_head(nudged.head, problem.settings.num_heads, cube);
    cube(head, nudged.row, nudged.column) += nudged.by;
}

// What is given: embeddings, what is learned, masks, the words of the goal.
void put_inputs(const AttentionProblem& problem, const NudgedNumber& nudged, LayerValues& values) {
    put(problem, TensorId::embeddings, elements(problem.embeddings), values);
    nudge(problem, nudged, TensorId::embeddings, values);
    for (const TensorId tensor : kLearnedTensors) {
        put(problem, tensor, numbers_of(*problem.projections, tensor), values);
        nudge(problem, nudged, tensor, values);
    }
    put(problem, TensorId::mask, elements(problem.hidden), values);
    put(problem, TensorId::vocabulary, elements(problem.goal.vocabulary), values);
    if (problem.settings.dropout > 0) {
        const int T = problem.num_tokens();
        FlagCube keep = zeros<FlagCube>(problem.settings.num_heads, T, T);
        TorchGenerator generator(problem.settings.dropout_seed);
        fill_keep_mask(generator, elements(keep), problem.settings.dropout, problem.settings.dropout_skip);
        put(problem, TensorId::keep_mask, std::span<const std::uint8_t>(elements(keep)), values);
    }
}

// Puts `number_of(typed)` into the cells of a stage that were typed. They are named before the cut into heads.
template <class NumberOf>
void put_typed(const AttentionProblem& problem, TensorId stage, CubeD& cube, const NumberOf& number_of) {
    for (const TypedNumber& typed : problem.typed_roles) {
        const int columns = length(cube, 2);
        if (typed.role == stage) cube(typed.column / columns, typed.row, typed.column % columns) = number_of(typed);
    }
}

Operands operands_in(const AttentionProblem& problem, const FoundRow& row, const LayerValues& values) {
    Operands in{.problem = problem, .result = row.result, .cubes = {}};
    for (std::size_t n = 0; n < row.operands.size(); ++n) {
        if (row.operands[n] && values.has(*row.operands[n])) in.cubes[n] = &values.of(*row.operands[n]);
    }
    return in;
}

bool is_projected_back(Operation operation) {
    return operation == Operation::project_grad_x || operation == Operation::project_grad_w ||
           operation == Operation::project_grad_b;
}

}  // namespace

MatrixD LayerValues::matrix(TensorId id, int head) const {
    const CubeD& cube = of(id);
    ATTN_CHECK(cube.size() != 0, "this problem has no stage ", tensor_name(id));
    const int of_heads = length(cube, 0) == 1 ? 1 : num_heads;
    ATTN_CHECK(head >= 0 && head < num_heads, "head is ", head, ", want 0 to ", num_heads - 1);
    MatrixD matrix = zeros<MatrixD>(cube.shape(1), cube.shape(2));
    const std::span<const double> numbers = head_of(cube, of_heads == 1 ? 0 : shared_head(head, of_heads, cube));
    std::copy(numbers.begin(), numbers.end(), matrix.begin());
    return matrix;
}

LayerValues layer_values(const AttentionProblem& problem, const NudgedNumber& nudged) {
    LayerValues values;
    values.num_heads = problem.settings.num_heads;
    put_inputs(problem, nudged, values);
    for (const FoundRow& row : forward_rows(problem)) {
        if (values.has(row.result)) continue;  // embeddings are given
        CubeD& result = values.of(row.result);
        result = zeros_of(problem, row.result);
        add_value(row.operation, operands_in(problem, row, values), result);
        put_typed(problem, row.result, result,
                  [](const TypedNumber& typed) { return static_cast<double>(typed.value); });
        nudge(problem, nudged, row.result, values);
    }
    return values;
}

void add_gradients(const AttentionProblem& problem, LayerValues& values) {
    for (const FoundRow& row : backward_rows(problem)) {
        Operands in = operands_in(problem, row, values);
        // No gradient reaches the rows after the weights of a pattern.
        const bool is_there = std::all_of(row.operands.begin(), row.operands.end(), [&](const auto& operand) {
            return !operand || !is_gradient(*operand) || values.has(*operand);
        });
        if (!is_there) continue;
        CubeD untyped;
        if (is_projected_back(row.operation)) {
            untyped = in[0];
            put_typed(problem, tensor_of_gradient(*row.operands[0]), untyped, [](const TypedNumber&) { return 0.0; });
            in.cubes[0] = &untyped;
        }
        if (!values.has(row.result)) values.of(row.result) = zeros_of(problem, row.result);
        add_value(row.operation, in, values.of(row.result));
    }
}

void add_gradients_from_output(const AttentionProblem& problem, const MatrixD& grad_output, LayerValues& values) {
    const TensorId last = values.has(TensorId::output) ? TensorId::grad_output : TensorId::grad_merged;
    put(problem, last, elements(grad_output), values);
    add_gradients(problem, values);
}

}  // namespace attn
