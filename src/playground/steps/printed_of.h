// Where the numbers stand that a lecture printed.
#pragma once

namespace attn {

inline constexpr int kAllHeads = -1;  // side by side, as they stand before the cut

enum class PrintedOf { stage, softmax };  // softmax: the weights of view=softmax, in one row

}  // namespace attn
