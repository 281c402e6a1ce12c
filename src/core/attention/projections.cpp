// Draws the learned matrices in PyTorch's order. core/operations and core/fast apply them.
#include "core/attention/projections.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/random.h"

namespace attn {
namespace {

constexpr int kMaxSize = 1024;
constexpr std::size_t kDownQuery = 0, kQuery = 1, kDownKv = 2, kKey = 3, kValue = 4, kOutput = 5, kQueryRope = 6,
                      kKeyRope = 7;

// nn.Linear draws its weight in +-bound with bound = sqrt(3) * gain / sqrt(n_in), gain = sqrt(2 / (1 + sqrt(5)^2)) (He
// et al. 2015 with a = sqrt(5)): 1/sqrt(n_in) in exact numbers. The same steps in double, so that the float is
// PyTorch's.
float weight_bound(int n_in) {
    const double slope = std::sqrt(5.0);
    const double gain = std::sqrt(2.0 / (1.0 + slope * slope));
    const double deviation = gain / std::sqrt(static_cast<double>(n_in));
    return static_cast<float>(std::sqrt(3.0) * deviation);
}

// Apart: most layers have no norms (tools/split.mjs).
[[gnu::noinline]] void set_norm_weights(int head_dim, Projections& projections) {
    for (Vector* weight : {&projections.q_norm, &projections.k_norm}) {
        *weight = zeros<Vector>(head_dim);
        weight->fill(1);
    }
}

float bias_bound(int n_in) {
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(n_in)));
}

// (columns, rows)
Matrix transposed(const Matrix& matrix) {
    Matrix result = unset<Matrix>(matrix.shape(1), matrix.shape(0));
    for (int row = 0; row < length(result, 0); ++row) {
        for (int column = 0; column < length(result, 1); ++column) result(row, column) = matrix(column, row);
    }
    return result;
}

}  // namespace

namespace {

template <class Tensor>
auto row_of_tensor(Tensor& tensor, int row) {
    if constexpr (std::is_same_v<std::remove_const_t<Tensor>, Matrix>) {
        return row_of(tensor, row);
    } else {
        return elements(tensor);
    }
}

}  // namespace

std::span<float> row_of_learned(Projections& projections, TensorId tensor, int row) {
    return with_learned(projections, tensor, [row](auto& one) { return row_of_tensor(one, row); });
}

std::span<const float> row_of_learned(const Projections& projections, TensorId tensor, int row) {
    return with_learned(projections, tensor, [row](const auto& one) { return row_of_tensor(one, row); });
}

Projections make_projections(Init init, std::uint64_t seed, int d_in, int d_out, bool bias, bool out) {
    return make_projections(init, seed, {.d_in = d_in, .d_out = d_out, .bias = bias, .out = out});
}

Projections make_projections(Init init, std::uint64_t seed, const ProjectionShape& shape) {
    ProjectionDraw draw(init, seed, shape);
    draw.advance(std::size_t{8} * kMaxSize * kMaxSize);
    return draw.take();
}

Matrix mean_of_groups(const Matrix& w, int head_dim, int group_size) {
    const int num_groups = length(w, 1) / (head_dim * group_size);
    Matrix means = zeros<Matrix>(length(w, 0), num_groups * head_dim);
    for (int row = 0; row < length(w, 0); ++row) {
        for (int column = 0; column < length(means, 1); ++column) {
            const int first = column / head_dim * group_size * head_dim + column % head_dim;
            float sum = w(row, first);
            for (int n = 1; n < group_size; ++n) sum += w(row, first + n * head_dim);
            means(row, column) = sum / static_cast<float>(group_size);
        }
    }
    return means;
}

Vector mean_of_groups(const Vector& b, int head_dim, int group_size) {
    Matrix row = zeros<Matrix>(1, length(b, 0));
    std::copy(b.begin(), b.end(), row.begin());
    const Matrix means = mean_of_groups(row, head_dim, group_size);
    Vector result = zeros<Vector>(length(means, 1));
    std::copy(means.begin(), means.end(), result.begin());
    return result;
}

ProjectionDraw::ProjectionDraw(Init init, std::uint64_t seed, const ProjectionShape& shape)
    : init_(init), shape_(shape), generator_(seed) {
    const int d_in = shape.d_in;
    const int d_out = shape.d_out;
    const bool bias = shape.bias;
    const bool out = shape.out;
    ATTN_CHECK(d_in >= 1 && d_in <= kMaxSize && d_out >= 1 && d_out <= kMaxSize, "d_in is ", d_in, " and d_out is ",
               d_out, ", want 1 to ", kMaxSize);
    ATTN_CHECK(shape.num_kv_heads == 0 || (shape.num_kv_heads >= 1 && shape.num_heads % shape.num_kv_heads == 0 &&
                                           d_out % shape.num_heads == 0),
               shape.num_kv_heads, " key heads do not divide ", shape.num_heads, " heads of ", d_out, " channels");
    ATTN_CHECK(
        shape.latent >= 0 && shape.latent <= kMaxSize && shape.query_latent >= 0 && shape.query_latent <= kMaxSize,
        "latents of ", shape.latent, " and ", shape.query_latent, " numbers, want 0 to ", kMaxSize);
    ATTN_CHECK(shape.rope_dim >= 0 && shape.rope_dim * shape.num_heads <= kMaxSize, shape.num_heads, " heads of ",
               shape.rope_dim, " numbers that are turned, want 0 to ", kMaxSize, " in all");
    const int kv_width = shape.kv_from == KvFrom::mean ? d_out : shape.kv_width();  // as it is drawn
    if (init == Init::none) {
        ATTN_CHECK(d_in == d_out && shape.kv_width() == d_out && !bias && !out && shape.latent == 0 &&
                       shape.query_latent == 0 && shape.rope_dim == 0,
                   "without matrices d_out is ", d_out, ", want d_in = ", d_in,
                   ", no bias, no output projection and no latents");
        role_ = kNumDrawn;
        return;
    }
    // nn.Linear's weight is drawn as (n_out, n_in).
    const bool is_linear = init == Init::torch_linear;
    const auto weight = init == Init::identity ? zeros<Matrix, int, int> : unset<Matrix, int, int>;
    const auto make = [&](std::size_t role, int n_in, int n_out, bool has_bias) {
        weights_[role] = is_linear ? weight(n_out, n_in) : weight(n_in, n_out);
        has_bias_[role] = has_bias;
    };
    if (kHasLatents && shape.query_latent != 0) make(kDownQuery, d_in, shape.query_latent, false);
    make(kQuery, shape.query_rows(), d_out, bias);
    if (kHasLatents && shape.latent != 0) make(kDownKv, d_in, shape.latent, false);
    make(kKey, shape.kv_rows(), kv_width, bias);
    make(kValue, shape.kv_rows(), kv_width, bias);
    if (out) make(kOutput, d_out, d_out, true);
    if (!kHasLatents || shape.rope_dim == 0) return;
    make(kQueryRope, shape.query_rows(), shape.num_heads * shape.rope_dim, false);
    make(kKeyRope, d_in, shape.rope_dim, false);
}

bool ProjectionDraw::advance(std::size_t num_numbers) {
    for (std::size_t spent = 0; role_ < kNumDrawn && spent <= num_numbers;) {
        Matrix& weight = weights_[static_cast<std::size_t>(role_)];
        const std::span<float> rest = elements(weight).subspan(drawn_);
        const std::size_t count = randn_slice(num_numbers - spent, rest.size());
        const std::span<float> next = rest.first(count);
        if (init_ == Init::torch_linear) {
            const float bound = weight_bound(length(weight, 1));
            fill_uniform(generator_, next, -bound, bound);
        } else if (init_ == Init::torch_rand) {
            fill_rand(generator_, next);
        } else if (init_ == Init::torch_randn) {
            fill_randn(generator_, next);
        }
        drawn_ += count;
        spent += count;
        if (drawn_ == weight.size()) finish(role_++);
    }
    return role_ == kNumDrawn;
}

void ProjectionDraw::finish(int role) {
    drawn_ = 0;
    const auto index = static_cast<std::size_t>(role);
    Matrix& weight = weights_[index];
    if (init_ == Init::torch_linear && weight.size() != 0) weight = transposed(weight);
    if (init_ == Init::identity) {
        for (int i = 0; i < std::min(length(weight, 0), length(weight, 1)); ++i) weight(i, i) = 1;
    }
    if (!has_bias_[index]) return;
    Vector& bias = biases_[index];
    bias = zeros<Vector>(weight.shape(1));  // stays 0 for the identity
    if (init_ == Init::torch_linear) {
        const float bound = bias_bound(length(weight, 0));
        fill_uniform(generator_, elements(bias), -bound, bound);
    } else if (init_ == Init::torch_rand) {
        fill_rand(generator_, elements(bias));
    } else if (init_ == Init::torch_randn) {
        fill_randn(generator_, elements(bias));
    }
}

Projections ProjectionDraw::take() {
    ATTN_CHECK(role_ == kNumDrawn, "matrix ", role_, " of ", kNumDrawn, " is still being drawn");
    if (shape_.kv_from == KvFrom::mean && shape_.kv_width() < shape_.d_out) {
        const int group_size = shape_.num_heads / shape_.num_kv_heads;
        for (const std::size_t role : {kKey, kValue}) {
            weights_[role] = mean_of_groups(weights_[role], shape_.head_dim(), group_size);
            if (has_bias_[role]) biases_[role] = mean_of_groups(biases_[role], shape_.head_dim(), group_size);
        }
    }
    Vector sink_logits;
    if (kHasSinks && shape_.has_sink) sink_logits = zeros<Vector>(shape_.num_heads);
    Projections drawn = {.w_query = std::move(weights_[kQuery]),
                         .w_key = std::move(weights_[kKey]),
                         .w_value = std::move(weights_[kValue]),
                         .w_down_query = std::move(weights_[kDownQuery]),
                         .w_down_kv = std::move(weights_[kDownKv]),
                         .b_query = std::move(biases_[kQuery]),
                         .b_key = std::move(biases_[kKey]),
                         .b_value = std::move(biases_[kValue]),
                         .w_out = std::move(weights_[kOutput]),
                         .b_out = std::move(biases_[kOutput]),
                         .w_query_rope = kHasLatents ? std::move(weights_[kHasLatents ? kQueryRope : 0]) : Matrix(),
                         .w_key_rope = kHasLatents ? std::move(weights_[kHasLatents ? kKeyRope : 0]) : Matrix(),
                         .sink_logits = std::move(sink_logits)};
    if (!kForwardOnly && shape_.has_qk_norm) set_norm_weights(shape_.head_dim(), drawn);
    return drawn;
}

}  // namespace attn
