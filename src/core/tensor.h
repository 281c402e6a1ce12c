// The tensor types of the core: row-major xtensor containers with a fixed number of axes.
// Each one carries its own storage; nothing in the core returns a lazy expression.
#pragma once

#include <cstdint>
#include <xtensor/containers/xtensor.hpp>

namespace attn {

using Vector = xt::xtensor<float, 1>;
using Matrix = xt::xtensor<float, 2>;
using Cube = xt::xtensor<float, 3>;
using Flags = xt::xtensor<std::uint8_t, 2>;      // 0 or 1 a cell
using FlagCube = xt::xtensor<std::uint8_t, 3>;

using VectorD = xt::xtensor<double, 1>;
using MatrixD = xt::xtensor<double, 2>;
using CubeD = xt::xtensor<double, 3>;

}  // namespace attn
