// The arithmetic of one weight in words, and lists of numbers as people type them.
#include "views/softmax/softmax_experiment.h"

#include "core/ground/check.h"
#include "playground/text/format.h"

namespace attn {

std::vector<std::string> softmax_lines(std::span<const float> numbers, double gain, int i) {
    const Softmax softmax = softmax_of(numbers, gain);
    const auto place = static_cast<std::size_t>(i);
    const std::string times = concat(shown_number(gain, 2), " × ", shown_number(static_cast<double>(numbers[place])));
    return {"weight = exp(gain · x − largest) / sum of all exp",
            concat("= exp(", times, " − ", after_minus(softmax.max), ") / ", shown_number(softmax.exp_sum)),
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
