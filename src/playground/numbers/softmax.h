// Softmax of a handful of numbers, with everything in between. Vaswani et al. 2017, eq. 1.
#pragma once

#include <span>
#include <vector>

namespace attn {

// Softmax of one vector, in double: exp(x - max) / sum of the same. At least one number, all finite.
struct Softmax {
    std::vector<double> scaled;   // gain · x
    std::vector<double> exps;     // exp(scaled - largest of scaled)
    std::vector<double> weights;  // exps / their sum
    double max = 0;               // largest of scaled
    double exp_sum = 0;
    double sum = 0;   // of the weights: 1 but for rounding
    int largest = 0;  // which weight is the largest; of equal ones the first
};
Softmax softmax_of(std::span<const float> numbers, double gain);

}  // namespace attn
