// A cell of a matrix.
#pragma once

namespace attn {

struct Place {
    int row = 0;
    int column = 0;

    bool operator==(const Place&) const = default;
};

}  // namespace attn
