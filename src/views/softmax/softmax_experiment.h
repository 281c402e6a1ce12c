// The softmax of a handful of numbers, and of the same numbers times a gain: the larger the numbers, the more the
// largest one gets.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "playground/numbers/softmax.h"

namespace attn {

// The lecture's gain; the slider marks it.
inline constexpr double kLectureGain = 8;

// How weight `i` is computed, in symbols and then in numbers, one line each: "weight = exp(gain · x − largest) / row
// sum", "= exp(8 × 0.5000 − 4.0000) / 1.2500", "= 1.0000 / 1.2500", "= 0.8000".
std::vector<std::string> softmax_lines(std::span<const float> numbers, double gain, int i);

// A typed or pasted list in the form links use: drops brackets; white space, semicolons and commas all separate
// numbers. "[0.1 -0.2]" is "0.1,-0.2".
std::string as_number_list(std::string_view typed);

}  // namespace attn
