// The learned matrices of attention, drawn from a seed exactly as PyTorch draws them.
#pragma once

#include <cstdint>

#include "core/tensor.h"

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

}  // namespace attn
