// The tangent in double, so that it has the same bits on every machine.
#include "core/attention/score_cap.h"

#include "core/ground/portable_math.h"

namespace attn {

float capped(float score, float cap) {
    return cap * static_cast<float>(portable::tanh(static_cast<double>(score / cap)));
}

void cap_row(float cap, std::size_t count, float* row) {
    for (std::size_t j = 0; j < count; ++j) row[j] = capped(row[j], cap);
}

float cap_slope(float y, float cap) {
    const float share = y / cap;
    return 1 - share * share;
}

}  // namespace attn
