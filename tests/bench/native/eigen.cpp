// Eigen as a contender, skipping the blocks of keys that no query of a block may see.
#include <Eigen/Dense>
#include <string>

#include "bench/native/blocks.h"

namespace {

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<>;
using Input = Eigen::Map<const Rows, 0, Stride>;
using Output = Eigen::Map<Rows, 0, Stride>;

void multiply(const attn::bench::Product& p) {
    const Input a(p.a, p.rows, p.inner, Stride(p.a_stride));
    Output result(p.result, p.rows, p.columns, Stride(p.result_stride));
    if (p.is_b_transposed) {
        const Input b(p.b, p.columns, p.inner, Stride(p.b_stride));
        result.noalias() = p.factor * (a * b.transpose());
    } else {
        const Input b(p.b, p.inner, p.columns, Stride(p.b_stride));
        result.noalias() = p.factor * (a * b);
    }
}

}  // namespace

int main() {
    const std::string version = std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                                std::to_string(EIGEN_MINOR_VERSION);
    return attn::bench::answer_commands(version, attn::bench::attention_by(multiply, false));
}
