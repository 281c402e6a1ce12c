// From a gradient to the next numbers: PyTorch's optimizers with their default settings, formulas and order of
// operations (torch.optim, 1.13, one tensor after the other). In float, without fused multiply-add: PyTorch's own last
// bits depend on the processor.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace attn {

enum class OptimizerKind { sgd, momentum, adam, adamw };

struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::sgd;
    double rate = 0.1;  // > 0, the learning rate
};

// What PyTorch leaves unsaid in a call: SGD's momentum where it has one, Adam's betas and eps, AdamW's weight decay.
inline constexpr double kMomentum = 0.9;
inline constexpr double kBeta1 = 0.9;
inline constexpr double kBeta2 = 0.999;
inline constexpr double kEpsilon = 1e-8;
inline constexpr double kWeightDecay = 0.01;

// Running means of one number's gradient, each as float: the buffer of momentum is `mean`.
struct Moments {
    std::vector<float> mean;         // m
    std::vector<float> mean_square;  // v, Adam and AdamW
};

// One number in a step: what step() reads and writes of it.
struct NumberStep {
    int step = 1;  // which one it is, from 1
    float number = 0;
    float gradient = 0;
    float mean = 0, next_mean = 0;                // m before and after, or momentum's buffer; 0 for plain SGD
    float mean_square = 0, next_mean_square = 0;  // v, Adam and AdamW
    double correction1 = 1, correction2 = 1;      // in this step
    float next = 0;                               // the new number
};

class Optimizer {
public:
    Optimizer() = default;
    explicit Optimizer(const OptimizerSettings& settings) : settings_(settings) {}

    // Begins the next step, in which each tensor is stepped once, always under the same number (from 0).
    void begin_step();
    void step(std::size_t tensor, std::span<const float> gradient, std::span<float> numbers);

    // What the next step will do to the number at `place` of a tensor that has this gradient there. Changes nothing.
    NumberStep next_step(std::size_t tensor, std::size_t place, float gradient, float number) const;

    int num_steps() const { return num_steps_; }

    // What step() leaves of a tensor: empty before its first step, and for plain SGD.
    const Moments& moments(std::size_t tensor) const { return moments_.at(tensor); }

    // 1 - beta^num_steps, what Adam divides its means by.
    double correction1() const { return 1 - power1_; }
    double correction2() const { return 1 - power2_; }

private:
    void momentum_step(Moments& moments, std::span<const float> gradient, std::span<float> numbers) const;
    void adam_step(Moments& moments, std::span<const float> gradient, std::span<float> numbers) const;

    OptimizerSettings settings_;
    std::vector<Moments> moments_;  // by tensor
    int num_steps_ = 0;
    double power1_ = 1, power2_ = 1;  // beta^num_steps
};

}  // namespace attn
