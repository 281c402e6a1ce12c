// See softmax_experiment.h.
#include "playground/softmax_experiment.h"

#include <algorithm>

#include "core/check.h"
#include "core/portable_math.h"
#include "playground/format.h"

namespace attn {

Softmax softmax_of(std::span<const float> numbers, double gain) {
    ATTN_CHECK(!numbers.empty(), "softmax needs a number");
    Softmax result;
    for (const float number : numbers) result.scaled.push_back(gain * static_cast<double>(number));
    const auto largest = std::max_element(result.scaled.begin(), result.scaled.end());
    result.largest = static_cast<int>(largest - result.scaled.begin());
    result.max = *largest;
    for (const double scaled : result.scaled) result.exps.push_back(portable::exp(scaled - result.max));
    for (const double exponential : result.exps) result.exp_sum += exponential;
    for (const double exponential : result.exps) result.weights.push_back(exponential / result.exp_sum);
    for (const double weight : result.weights) result.sum += weight;
    return result;
}

std::vector<std::string> softmax_lines(std::span<const float> numbers, double gain, int i) {
    const Softmax softmax = softmax_of(numbers, gain);
    const auto place = static_cast<std::size_t>(i);
    const std::string times = concat(shown_number(gain, 2), " × ", shown_number(static_cast<double>(numbers[place])));
    return {"weight = exp(gain · x − largest) / sum of all exp",
            concat("= exp(", times, " − ", shown_number(softmax.max), ") / ", shown_number(softmax.exp_sum)),
            concat("= ", shown_number(softmax.exps[place]), " / ", shown_number(softmax.exp_sum)),
            concat("= ", shown_number(softmax.weights[place]))};
}

std::string as_number_list(std::string_view typed) {
    std::string list;
    bool is_between = true;
    for (const char letter : typed) {
        const bool separates = letter == ',' || letter == ';' || letter == ' ' || letter == '\t' || letter == '\n' ||
                               letter == '\r' || letter == '[' || letter == ']' || letter == '(' || letter == ')';
        if (!separates && is_between && !list.empty()) list += ',';
        if (!separates) list += letter;
        is_between = separates;
    }
    return list;
}

}  // namespace attn
