// The picture of view=softmax, for paper and for the screen: a bar for each weight, how the weights change with the
// gain, and how one of them is computed.
#pragma once

#include "scene/kit/figure_parts.h"

namespace attn {

struct SoftmaxLayout {
    double width = 750;
    double row = 24;             // height of a row with one line of bars
    double number = 76;          // room for a number of the vector
    bool is_stacked = false;     // a number's two bars stand one below the other
    bool prints_numbers = true;  // of the vector; the screen puts fields there

    bool operator==(const SoftmaxLayout&) const = default;
};

// `lit`: the number whose row is marked, whose curve stands out and whose arithmetic is shown. Its places, in
// pairs: "softmax=3" is the row of number 3, "x=3" the room of the number itself.
FigureBlock softmax_scene(const SceneStyle& style, const View& view, const SoftmaxLayout& layout, int lit);

}  // namespace attn
