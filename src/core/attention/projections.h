// The learned matrices of attention, drawn from a seed exactly as PyTorch draws them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/ground/random.h"
#include "core/ground/tensor.h"

namespace attn {

enum class Init {
    torch_rand,    // nn.Parameter(torch.rand(d_in, d_out))
    torch_linear,  // nn.Linear(d_in, d_out)
    torch_randn,   // nn.Parameter(torch.randn(d_in, d_out))
    identity,      // ones on the diagonal
    none,          // no matrices: query = key = value = X (simplified self-attention); d_out = d_in
};

// Learned matrices are used as x . w + b. One matrix a role; its columns are cut into heads (head h owns columns
// h * head_dim to (h + 1) * head_dim). A tensor that is absent has size 0: all of them for Init::none, the biases
// without `bias`, w_out and b_out without `out`.
struct Projections {
    Matrix w_query, w_key, w_value;  // (d_in, d_out)
    Vector b_query, b_key, b_value;  // (d_out)
    Matrix w_out;                    // (d_out, d_out)
    Vector b_out;                    // (d_out)
};

// Draws in the order a notebook creates its modules: query, key, value, then the output projection, each a weight
// followed by its bias, all by the same `init`. nn.Linear's weight is (d_out, d_in) in PyTorch; here it is its
// transpose. Init::identity has biases of 0. The output projection always has a bias, as in the lectures'
// nn.Linear(d_out, d_out). Sizes 1 to 1024. Init::none wants d_in == d_out, bias false and out false.
Projections make_projections(Init init, std::uint64_t seed, int d_in, int d_out, bool bias, bool out);

// make_projections in slices, for matrices that take longer than a frame: the same bits whatever the slices are.
class ProjectionDraw {
public:
    ProjectionDraw(Init init, std::uint64_t seed, int d_in, int d_out, bool bias, bool out);

    // Draws about so many more numbers, at least some. Returns whether all are drawn.
    bool advance(std::size_t num_numbers);

    // What was drawn, once all is. To be called once.
    Projections take();

private:
    void finish(int role);  // its weight is drawn: the bias, which comes next, and the transpose

    Init init_;
    TorchGenerator generator_;
    std::array<Matrix, 4> weights_;  // query, key, value, output as they are drawn; size 0 where there is none
    std::array<Vector, 4> biases_;
    std::array<bool, 4> has_bias_ = {};
    int role_ = 0;           // that is being drawn
    std::size_t drawn_ = 0;  // elements of it
};

}  // namespace attn
