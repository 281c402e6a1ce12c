// What softmax makes of a handful of numbers, and of the same numbers times a gain: the larger the numbers, the more
// goes to the largest.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "playground/state.h"

namespace attn {

// The gain that the lecture takes; marked on the slider.
inline constexpr double kLectureGain = 8;

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

// How number `i` comes about, in symbols and with its numbers put in, one line each:
// "weight = exp(gain · x − largest) / row sum", "= exp(8 × 0.5000 − 4.0000) / 1.2500", "= 1.0000 / 1.2500", "= 0.8000".
std::vector<std::string> softmax_lines(std::span<const float> numbers, double gain, int i);

// The list a person typed or pasted as a link would have it: brackets left out, white space, semicolons and commas all
// separate numbers. "[0.1 -0.2]" is "0.1,-0.2".
std::string as_number_list(std::string_view typed);

}  // namespace attn
