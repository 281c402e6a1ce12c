// One slip: what somebody did, and the number it leads to.
#pragma once

#include <string>

namespace attn {

struct Slip {
    std::string words;  // after "when you": "forget to divide by √2"
    double number = 0;  // finite
};

}  // namespace attn
