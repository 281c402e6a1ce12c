// The values of operations in double precision, as a textbook writes them: each loops over its indices, nothing is
// reused or reordered. The fast twins (core/fast, core/learn/gradients.h) must agree with them.
#pragma once

#include <array>
#include <cstddef>

#include "core/attention/attention.h"
#include "core/operations/operation.h"

namespace attn {

// What an operation takes: its operands, (matrices, rows, columns) each, null where the layer has none, the tensor that
// it makes, and the problem for settings and mask.
struct Operands {
    const AttentionProblem& problem;
    TensorId result;
    std::array<const CubeD*, 3> cubes;

    bool has(std::size_t n) const { return cubes[n] != nullptr; }
    const CubeD& operator[](std::size_t n) const { return *cubes[n]; }
    bool hides(int query, int key) const { return problem.hidden(query, key) != 0; }
};

// Adds an operation's value to `result`, which has its shape: zeros, or what other operations added to a gradient.
void add_value(Operation operation, const Operands& in, CubeD& result);

// Calls visit(matrix, row, column) for each number.
template <class Visit>
void for_each_cell(const CubeD& cube, const Visit& visit) {
    for (int h = 0; h < length(cube, 0); ++h) {
        for (int i = 0; i < length(cube, 1); ++i) {
            for (int j = 0; j < length(cube, 2); ++j) visit(h, i, j);
        }
    }
}

// The matrix that head h of `num_heads` reads of a tensor whose matrices several heads share.
inline int shared_head(int h, int num_heads, const CubeD& shared) {
    return h / (num_heads / length(shared, 0));
}

// One number that is moved a little: a cell of a stage after it is computed, or a number of X, of a matrix or of a bias
// (row 0).
struct NudgedNumber {
    TensorId tensor = {};
    int head = 0, row = 0, column = 0;
    double by = 0;
};

// Every tensor of a layer, and after a backward pass their gradients; size 0 where the layer has none. Keys, values and
// what else heads share have one matrix for all heads that read them.
class LayerValues {
public:
    const CubeD& of(TensorId id) const { return cubes_[static_cast<std::size_t>(id)]; }
    CubeD& of(TensorId id) { return cubes_[static_cast<std::size_t>(id)]; }
    bool has(TensorId id) const { return of(id).size() != 0; }

    // The matrix that head `head` reads, 0 to num_heads - 1; 0 for tensors without heads.
    MatrixD matrix(TensorId id, int head = 0) const;

    int num_heads = 1;

private:
    std::array<CubeD, kNumTensors> cubes_;
};

// The forward pass: all stages that the problem has, those of its goal included. `nudged`: everything after that number
// is computed with it. A typed query, key or value keeps its number when X or a matrix is moved.
LayerValues layer_values(const AttentionProblem& problem, const NudgedNumber& nudged = {});

// The loss of the problem's goal: infinite where a target's weight is 0, and 0 without a goal. `values` is a forward
// pass.
double loss_of(const AttentionProblem& problem, const LayerValues& values);

// The backward pass of the problem's goal: adds the gradients of the loss to the values of the forward pass. A typed
// query, key or value stops the gradient: neither matrices nor embeddings get any of it.
void add_gradients(const AttentionProblem& problem, LayerValues& values);

// The same where the gradient at the layer's output, (T, d_out), is given instead of a goal.
void add_gradients_from_output(const AttentionProblem& problem, const MatrixD& grad_output, LayerValues& values);

}  // namespace attn
