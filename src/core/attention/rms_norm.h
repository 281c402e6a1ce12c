// RMS norm of a row x (Zhang and Sennrich 2019, 1910.07467, equation 4): y = weight * x / rms, with rms the root of the
// mean of x's squares + eps. A row of queries or keys of one head keeps its direction and gets about the same length
// whatever it had (Henry et al. 2020, 2010.04245; as in Qwen3, 2505.09388).
#pragma once

#include <span>

namespace attn {

// Of the norms of queries and keys, as in Qwen3.
inline constexpr double kQueryKeyNormEps = 1e-6;

// The root of the mean of the squares + eps: added in their order, in double. > 0 for eps > 0 and finite numbers.
double rms_of(std::span<const float> x, double eps);

// y, x / rms rounded to float before it is multiplied by its weight. All of one length; `y` may be `x`.
void rms_norm(std::span<const float> x, std::span<const float> weight, double eps, std::span<float> y);

// The way back: grad_x = (grad_y * weight - x * mean of (grad_y * weight * x) / rms^2) / rms, and grad_y * x / rms is
// added to grad_weight. `grad_x` may be `grad_y`.
void rms_norm_back(std::span<const float> x, std::span<const float> weight, double eps, std::span<const float> grad_y,
                   std::span<float> grad_x, std::span<float> grad_weight);

}  // namespace attn
