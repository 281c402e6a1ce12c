// What all heads of all layers do together: the mean over the heads of a layer, and attention rollout.
//
// Source: Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers" (2005.00928), section 3.
#pragma once

#include <vector>

#include "core/attention/weight_rows.h"
#include "core/ground/tensor.h"

namespace attn {

// The mean of a layer's heads, (T, T), summed in double in the order of the heads. Rows sum to 1.
MatrixD mean_of_heads(const WeightRows& weights);

// How much of each first token is in each token after a layer, if each layer's stream were half what comes in and half
// what attention gathers: rollout = (mean + I) / 2 * rollout of the layer before. Rows sum to 1. It knows nothing of
// values, norms and MLPs, so it is a picture of where information can have come from, not a proof.
class Rollout {
public:
    // The next layer's mean, (T, T).
    void add_layer(const MatrixD& mean);
    const MatrixD& matrix() const { return matrix_; }  // (T, T) after the last layer added; size 0 before the first

private:
    MatrixD matrix_;
};

}  // namespace attn
