// The tensor types of the core: row-major xtensor containers with a fixed number of axes.
// Each one carries its own storage; nothing in the core returns a lazy expression.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <xtensor/containers/xtensor.hpp>

namespace attn {

using Vector = xt::xtensor<float, 1>;
using Matrix = xt::xtensor<float, 2>;
using Cube = xt::xtensor<float, 3>;
using Flags = xt::xtensor<std::uint8_t, 2>;  // 0 or 1 a cell
using FlagCube = xt::xtensor<std::uint8_t, 3>;

using VectorD = xt::xtensor<double, 1>;
using MatrixD = xt::xtensor<double, 2>;
using CubeD = xt::xtensor<double, 3>;

// A tensor of zeros of this shape: zeros<Cube>(num_heads, T, head_dim). A default-made tensor has size 0 instead.
template <class Tensor, class... Sizes>
Tensor zeros(Sizes... sizes) {
    return Tensor(std::array<std::size_t, sizeof...(Sizes)>{static_cast<std::size_t>(sizes)...}, 0);
}

// The same of numbers that are all still to be set: fresh memory is slow to touch, so that is left to who sets them.
template <class Tensor, class... Sizes>
Tensor unset(Sizes... sizes) {
    return Tensor::from_shape(std::array<std::size_t, sizeof...(Sizes)>{static_cast<std::size_t>(sizes)...});
}

// Length of one axis as an int: sizes of this program stay far below 2^31.
template <class Tensor>
int length(const Tensor& tensor, std::size_t axis) {
    return static_cast<int>(tensor.shape(axis));
}

// All elements in memory order.
template <class Tensor>
std::span<typename Tensor::value_type> elements(Tensor& tensor) {
    return {tensor.data(), tensor.size()};
}
template <class Tensor>
std::span<const typename Tensor::value_type> elements(const Tensor& tensor) {
    return {tensor.data(), tensor.size()};
}

// How long a row of numbers is as a vector: the root of the sum of its squares.
template <class Values>
double length_of_row(const Values& row) {
    double sum = 0;
    for (const auto one : row) sum += static_cast<double>(one) * static_cast<double>(one);
    return std::sqrt(sum);
}

// Row i of a matrix.
template <class Value>
std::span<Value> row_of(xt::xtensor<Value, 2>& matrix, int i) {
    return elements(matrix).subspan(static_cast<std::size_t>(i) * matrix.shape(1), matrix.shape(1));
}
template <class Value>
std::span<const Value> row_of(const xt::xtensor<Value, 2>& matrix, int i) {
    return elements(matrix).subspan(static_cast<std::size_t>(i) * matrix.shape(1), matrix.shape(1));
}

// The matrix of head h, and its row i: (rows, columns) of a (num_heads, rows, columns) tensor.
template <class Value>
std::span<Value> head_of(xt::xtensor<Value, 3>& cube, int h) {
    const std::size_t size = cube.shape(1) * cube.shape(2);
    return elements(cube).subspan(static_cast<std::size_t>(h) * size, size);
}
template <class Value>
std::span<const Value> head_of(const xt::xtensor<Value, 3>& cube, int h) {
    const std::size_t size = cube.shape(1) * cube.shape(2);
    return elements(cube).subspan(static_cast<std::size_t>(h) * size, size);
}
template <class Value>
std::span<Value> row_of(xt::xtensor<Value, 3>& cube, int h, int i) {
    return head_of(cube, h).subspan(static_cast<std::size_t>(i) * cube.shape(2), cube.shape(2));
}
template <class Value>
std::span<const Value> row_of(const xt::xtensor<Value, 3>& cube, int h, int i) {
    return head_of(cube, h).subspan(static_cast<std::size_t>(i) * cube.shape(2), cube.shape(2));
}

}  // namespace attn
