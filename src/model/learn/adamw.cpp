// In float, as PyTorch; what holds for a whole step is computed in double and rounded once.
#include "model/learn/adamw.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"

namespace attn {

double RateCurve::rate(int step) const {
    constexpr double kPi = 3.14159265358979323846;
    const double share = warm_up > 0 ? std::min(1.0, (step + 1.0) / warm_up) : 1.0;
    const double half_cosine = 0.5 + 0.5 * portable::cos(kPi * step / num_steps);
    return highest * share * half_cosine + least;
}

double gradient_length(std::span<const float> gradients) {
    double sum = 0;
    for (const float one : gradients) sum += static_cast<double>(one) * static_cast<double>(one);
    return std::sqrt(sum);
}

double cut_gradients(std::span<float> gradients, double most) {
    const double length = gradient_length(gradients);
    const double factor = most / (length + 1e-6);
    if (factor >= 1) return length;
    for (float& one : gradients) one *= static_cast<float>(factor);
    return length;
}

void AdamW::step(double rate, std::span<const float> gradients, std::span<float> numbers,
                 std::span<const NumberRange> shrinking) {
    ATTN_CHECK(gradients.size() == mean_.size() && numbers.size() == mean_.size(), gradients.size(), " gradients and ",
               numbers.size(), " numbers, want ", mean_.size());
    ++num_steps_;
    power1_ *= settings_.beta1;
    power2_ *= settings_.beta2;
    const auto shrunk = static_cast<float>(1 - rate * settings_.decay);
    for (const NumberRange& range : shrinking) {
        for (std::size_t n = range.begin; n < range.end; ++n) numbers[n] *= shrunk;
    }
    const auto step_size = static_cast<float>(-(rate / (1 - power1_)));
    const auto root2 = static_cast<float>(std::sqrt(1 - power2_));
    const auto beta1 = static_cast<float>(settings_.beta1), beta2 = static_cast<float>(settings_.beta2);
    const auto rest1 = static_cast<float>(1 - settings_.beta1), rest2 = static_cast<float>(1 - settings_.beta2);
    const auto epsilon = static_cast<float>(settings_.epsilon);
    for (std::size_t n = 0; n < numbers.size(); ++n) {
        const float m = mean_[n] = mean_[n] * beta1 + rest1 * gradients[n];
        const float v = mean_square_[n] = mean_square_[n] * beta2 + rest2 * gradients[n] * gradients[n];
        numbers[n] += step_size * m / (std::sqrt(v) / root2 + epsilon);
    }
}

void AdamW::go_to(int num_steps, std::span<const float> mean, std::span<const float> mean_square) {
    ATTN_CHECK(mean.size() == mean_.size() && mean_square.size() == mean_.size(), "means of another model");
    std::copy(mean.begin(), mean.end(), mean_.begin());
    std::copy(mean_square.begin(), mean_square.end(), mean_square_.begin());
    power1_ = power2_ = 1;
    for (num_steps_ = 0; num_steps_ < num_steps; ++num_steps_) {  // multiplied as the steps did
        power1_ *= settings_.beta1;
        power2_ *= settings_.beta2;
    }
}

}  // namespace attn
