// Draws the learned matrices in PyTorch's order. What a matrix is used for is attention.cpp's business.
#include "core/projections.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "core/random.h"

namespace attn {
namespace {

constexpr int kMaxSize = 1024;

// A linear map x . w + b from n_in to n_out channels.
struct Linear {
    Matrix weight;  // (n_in, n_out)
    Vector bias;    // (n_out), size 0 without bias
};

// nn.Linear draws its weight in +-bound with bound = sqrt(3) * gain / sqrt(n_in), gain = sqrt(2 / (1 + sqrt(5)^2)) (He
// et al. 2015 with a = sqrt(5)): 1/sqrt(n_in) in exact numbers. The same steps in double, so that the float is
// PyTorch's.
float weight_bound(int n_in) {
    const double slope = std::sqrt(5.0);
    const double gain = std::sqrt(2.0 / (1.0 + slope * slope));
    const double deviation = gain / std::sqrt(static_cast<double>(n_in));
    return static_cast<float>(std::sqrt(3.0) * deviation);
}

float bias_bound(int n_in) {
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(n_in)));
}

// torch.nn.Linear(n_in, n_out): drawn as (n_out, n_in) row by row, kept as its transpose.
Linear torch_linear(TorchGenerator& generator, int n_in, int n_out, bool bias) {
    Matrix drawn = zeros<Matrix>(n_out, n_in);
    fill_uniform(generator, elements(drawn), -weight_bound(n_in), weight_bound(n_in));
    Linear linear{zeros<Matrix>(n_in, n_out), {}};
    for (int row = 0; row < n_in; ++row) {
        for (int column = 0; column < n_out; ++column) linear.weight(row, column) = drawn(column, row);
    }
    if (bias) {
        linear.bias = zeros<Vector>(n_out);
        fill_uniform(generator, elements(linear.bias), -bias_bound(n_in), bias_bound(n_in));
    }
    return linear;
}

Linear make_linear(Init init, TorchGenerator& generator, int n_in, int n_out, bool bias) {
    if (init == Init::torch_linear) return torch_linear(generator, n_in, n_out, bias);
    Linear linear{zeros<Matrix>(n_in, n_out), {}};
    if (bias) linear.bias = zeros<Vector>(n_out);
    if (init == Init::torch_rand) {
        fill_rand(generator, elements(linear.weight));
        fill_rand(generator, elements(linear.bias));
    } else if (init == Init::torch_randn) {
        fill_randn(generator, elements(linear.weight));
        fill_randn(generator, elements(linear.bias));
    } else {
        for (int i = 0; i < std::min(n_in, n_out); ++i) linear.weight(i, i) = 1;  // identity; its bias stays 0
    }
    return linear;
}

}  // namespace

Projections make_projections(Init init, std::uint64_t seed, int d_in, int d_out, bool bias, bool out) {
    ATTN_CHECK(d_in >= 1 && d_in <= kMaxSize && d_out >= 1 && d_out <= kMaxSize, "d_in is ", d_in, " and d_out is ",
               d_out, ", want 1 to ", kMaxSize);
    if (init == Init::none) {
        ATTN_CHECK(d_in == d_out && !bias && !out, "without matrices d_out is ", d_out, ", want d_in = ", d_in,
                   ", no bias and no output projection");
        return {};
    }
    TorchGenerator generator(seed);
    Linear query = make_linear(init, generator, d_in, d_out, bias);
    Linear key = make_linear(init, generator, d_in, d_out, bias);
    Linear value = make_linear(init, generator, d_in, d_out, bias);
    Linear output;
    if (out) output = make_linear(init, generator, d_out, d_out, true);
    return {.w_query = std::move(query.weight),
            .w_key = std::move(key.weight),
            .w_value = std::move(value.weight),
            .b_query = std::move(query.bias),
            .b_key = std::move(key.bias),
            .b_value = std::move(value.bias),
            .w_out = std::move(output.weight),
            .b_out = std::move(output.bias)};
}

}  // namespace attn
