// Softmax in double, with the exponentials that are the same on every machine.
#include "playground/numbers/softmax.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"

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

}  // namespace attn
