// Rotary positions in double, with the standard library's sines.
#include <cmath>

#include "core/attention/attention_reference.h"

namespace attn {

CubeD rotate_heads(const RotarySettings& rotary, const CubeD& heads, double direction) {
    CubeD rotated = heads;
    const int size = rotary.own_dim == 0 ? length(heads, 2) : rotary.own_dim;
    const int begin = length(heads, 2) - size;  // of the numbers that are turned
    for (int h = 0; h < length(heads, 0); ++h) {
        for (int i = 0; i < length(heads, 1); ++i) {
            for (int pair = 0; pair < size / 2; ++pair) {
                const double angle = direction * (i + rotary.shift) * std::pow(rotary.base, -2.0 * pair / size);
                const int first = begin + first_of_pair(rotary.pairs, size, pair);
                const int second = begin + second_of_pair(rotary.pairs, size, pair);
                const double x = heads(h, i, first), y = heads(h, i, second);
                rotated(h, i, first) = x * std::cos(angle) - y * std::sin(angle);
                rotated(h, i, second) = y * std::cos(angle) + x * std::sin(angle);
            }
        }
    }
    return rotated;
}

}  // namespace attn
