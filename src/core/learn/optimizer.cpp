// The settings are doubles, as Python's are; each is rounded to float where it meets a tensor, as PyTorch does.
#include "core/learn/optimizer.h"

#include <cmath>

#include "core/ground/check.h"

namespace attn {

void Optimizer::begin_step() {
    ++num_steps_;
    power1_ *= kBeta1;
    power2_ *= kBeta2;
}

void Optimizer::step(std::size_t tensor, std::span<const float> gradient, std::span<float> numbers) {
    ATTN_CHECK(gradient.size() == numbers.size(), "a gradient of ", gradient.size(), " numbers for ", numbers.size());
    if (tensor >= moments_.size()) moments_.resize(tensor + 1);
    switch (settings_.kind) {
        case OptimizerKind::sgd: {
            const auto rate = static_cast<float>(-settings_.rate);
            for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] += rate * gradient[n];
            return;
        }
        case OptimizerKind::momentum:
            momentum_step(moments_[tensor], gradient, numbers);
            return;
        case OptimizerKind::adamw: {
            const auto shrunk = static_cast<float>(1 - settings_.rate * kWeightDecay);
            for (float& number : numbers) number *= shrunk;
            adam_step(moments_[tensor], gradient, numbers);
            return;
        }
        case OptimizerKind::adam:
            adam_step(moments_[tensor], gradient, numbers);
            return;
    }
}

// A tensor of that one number takes the step.
NumberStep Optimizer::next_step(std::size_t tensor, std::size_t place, float gradient, float number) const {
    Optimizer one(settings_);
    one.num_steps_ = num_steps_;
    one.power1_ = power1_;
    one.power2_ = power2_;
    Moments& moments = one.moments_.emplace_back();
    NumberStep step = {.step = num_steps_ + 1, .number = number, .gradient = gradient, .next = number};
    if (tensor < moments_.size() && !moments_[tensor].mean.empty()) {
        moments.mean = {step.mean = moments_[tensor].mean.at(place)};
        if (!moments_[tensor].mean_square.empty())
            moments.mean_square = {step.mean_square = moments_[tensor].mean_square.at(place)};
    }
    one.begin_step();
    one.step(0, {&gradient, 1}, {&step.next, 1});
    if (!moments.mean.empty()) step.next_mean = moments.mean.front();
    if (!moments.mean_square.empty()) step.next_mean_square = moments.mean_square.front();
    step.correction1 = one.correction1();
    step.correction2 = one.correction2();
    return step;
}

// buffer = momentum * buffer + gradient, at first the gradient itself; number -= rate * buffer.
void Optimizer::momentum_step(Moments& moments, std::span<const float> gradient, std::span<float> numbers) const {
    if (moments.mean.empty()) {
        moments.mean.assign(gradient.begin(), gradient.end());
    } else {
        for (std::size_t n = 0; n < numbers.size(); ++n)
            moments.mean[n] = moments.mean[n] * static_cast<float>(kMomentum) + gradient[n];
    }
    const auto rate = static_cast<float>(-settings_.rate);
    for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] += rate * moments.mean[n];
}

// Kingma and Ba 2015, algorithm 1: m and v are running means of the gradient and of its square;
// number -= rate * (m / correction1) / (sqrt(v / correction2) + epsilon).
void Optimizer::adam_step(Moments& moments, std::span<const float> gradient, std::span<float> numbers) const {
    moments.mean.resize(numbers.size());
    moments.mean_square.resize(numbers.size());
    const auto step_size = static_cast<float>(-(settings_.rate / correction1()));
    const auto root2 = static_cast<float>(std::sqrt(correction2()));
    for (std::size_t n = 0; n < numbers.size(); ++n) {
        float& m = moments.mean[n];
        float& v = moments.mean_square[n];
        m = m * static_cast<float>(kBeta1) + static_cast<float>(1 - kBeta1) * gradient[n];
        v = v * static_cast<float>(kBeta2) + static_cast<float>(1 - kBeta2) * gradient[n] * gradient[n];
        const float denominator = std::sqrt(v) / root2 + static_cast<float>(kEpsilon);
        numbers[n] += step_size * m / denominator;
    }
}

}  // namespace attn
