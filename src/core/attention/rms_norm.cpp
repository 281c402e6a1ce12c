// Sums in double, in the order of the numbers: the same bits everywhere.
#include "core/attention/rms_norm.h"

#include <cmath>
#include <cstddef>

namespace attn {

double rms_of(std::span<const float> x, double eps) {
    double squares = 0;
    for (const float one : x) squares += static_cast<double>(one) * static_cast<double>(one);
    return std::sqrt(squares / static_cast<double>(x.size()) + eps);
}

void rms_norm(std::span<const float> x, std::span<const float> weight, double eps, std::span<float> y) {
    const double scale = 1 / rms_of(x, eps);
    for (std::size_t c = 0; c < x.size(); ++c) y[c] = static_cast<float>(static_cast<double>(x[c]) * scale) * weight[c];
}

void rms_norm_back(std::span<const float> x, std::span<const float> weight, double eps, std::span<const float> grad_y,
                   std::span<float> grad_x, std::span<float> grad_weight) {
    const double rms = rms_of(x, eps);
    double sum = 0;
    for (std::size_t c = 0; c < x.size(); ++c)
        sum += static_cast<double>(grad_y[c]) * static_cast<double>(weight[c]) * static_cast<double>(x[c]);
    const double average = sum / (static_cast<double>(x.size()) * rms * rms);
    for (std::size_t c = 0; c < x.size(); ++c) {
        const auto gradient = static_cast<double>(grad_y[c]);
        const auto number = static_cast<double>(x[c]);
        grad_weight[c] += static_cast<float>(gradient * number / rms);
        grad_x[c] = static_cast<float>((gradient * static_cast<double>(weight[c]) - number * average) / rms);
    }
}

}  // namespace attn
