// The softmax with a number that each head learned beside its scores: what gpt-oss writes as one more column, which is
// dropped again behind the softmax. attention_reference.cpp goes on from here.
#include <algorithm>
#include <cmath>

#include "core/attention/attention_reference.h"

namespace attn {

CubeD softmax_with_sink(const CubeD& scores, const MatrixD& logits, CubeD& sink_weights) {
    CubeD weights = scores;
    sink_weights = zeros<CubeD>(scores.shape(0), scores.shape(1), 1);
    for (int h = 0; h < length(scores, 0); ++h) {
        for (int i = 0; i < length(scores, 1); ++i) {
            double row_max = logits(0, h);
            for (int j = 0; j < length(scores, 2); ++j) row_max = std::max(row_max, scores(h, i, j));
            double row_sum = std::exp(logits(0, h) - row_max);
            for (int j = 0; j < length(scores, 2); ++j) row_sum += std::exp(scores(h, i, j) - row_max);
            for (int j = 0; j < length(scores, 2); ++j)
                weights(h, i, j) = std::exp(scores(h, i, j) - row_max) / row_sum;
            sink_weights(h, i, 0) = std::exp(logits(0, h) - row_max) / row_sum;
        }
    }
    return weights;
}

}  // namespace attn
