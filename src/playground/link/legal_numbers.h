// Which whole numbers are legal where not all are, and which of them is nearest to one that is not.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/ground/check.h"
#include "playground/state/state.h"

namespace attn {

// The whole numbers that divide d_out, ascending: the legal values of num_heads.
inline std::vector<int> legal_num_heads(int d_out) {
    ATTN_CHECK(d_out >= 1 && d_out <= kMaxModelWidth, "d_out is ", d_out);
    std::vector<int> divisors;
    for (int n = 1; n <= d_out; ++n) {
        if (d_out % n == 0) divisors.push_back(n);
    }
    return divisors;
}

// The number of the list, which is not empty, that is nearest to `wanted`; of two equally near ones the first.
inline int nearest_of(const std::vector<int>& ascending, int wanted) {
    const auto distance = [wanted](int value) { return std::abs(static_cast<std::int64_t>(value) - wanted); };
    return *std::min_element(ascending.begin(), ascending.end(),
                             [&](int a, int b) { return distance(a) < distance(b); });
}

}  // namespace attn
