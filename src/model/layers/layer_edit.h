// A number of a layer's attention that somebody changed by hand.
#pragma once

#include "core/attention/stage_info.h"

namespace attn {

struct LayerEdit {
    int layer = 0;
    TensorId tensor = TensorId::w_query;  // what goes into the attention (embeddings), queries, keys, values, w_query,
                                          // w_key, w_value, w_out, their biases, or the mask
    int row = 0;                          // biases: 0
    int column = 0;                       // of queries, keys and values: before the cut into heads
    float value = 0;                      // mask: 1 hidden, 0 visible
    bool operator==(const LayerEdit&) const = default;
};

}  // namespace attn
