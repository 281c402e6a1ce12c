// Powers of two, whole and broken, and a tangent in double, so that all have the same bits on every machine.
#include "core/attention/score_changes.h"

#include <bit>
#include <cmath>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"

namespace attn {
namespace {

constexpr double kLnOf2 = 0.69314718055994530942;

// 2^(-eighths / n) for n a power of two: exact where it is a whole power.
double slope_of_power(int eighths, int n) {
    const int whole = eighths / n;
    const double rest = static_cast<double>(eighths % n) / n;
    return std::ldexp(portable::exp(-rest * kLnOf2), -whole);
}

}  // namespace

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

double alibi_slope(int head, int num_heads) {
    ATTN_CHECK(head >= 0 && head < num_heads, "head is ", head, " of ", num_heads);
    const int n = static_cast<int>(std::bit_floor(static_cast<unsigned>(num_heads)));
    if (head < n) return slope_of_power(8 * (head + 1), n);
    return slope_of_power(8 * (2 * (head - n) + 1), 2 * n);
}

}  // namespace attn
