// A head that is switched off: what it hands on stays out of the residual stream, or is the same for each token.
#pragma once

#include <compare>

namespace attn {

struct HeadOff {
    int layer = 0, head = 0;
    auto operator<=>(const HeadOff&) const = default;
};

// What a head that is off hands on in the place of its context. Its weights stay as they are.
enum class OffBy {
    zero,
    mean,  // the mean of its context over the tokens: what it says of this text whatever the token
};

}  // namespace attn
