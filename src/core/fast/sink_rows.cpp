// The weights of rows whose softmax has a sink beside the keys. Read core/operations/softmax.cpp first. One row
// after the other, from what the kernels offer: they know no sink.

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "core/fast/head_attention.h"
#include "core/kernels/simd_kernels.h"

namespace attn {
namespace {

double sum_of_row(std::span<const float> numbers) {
    constexpr std::size_t kLanes = 8;
    std::array<double, kLanes> sums = {};
    for (std::size_t j = 0; j < numbers.size(); ++j) sums[j % kLanes] += static_cast<double>(numbers[j]);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// Scaled scores become exponentials over the row's sum; returns the sink's share.
float softmax_row_with_sink(std::span<float> scores, float logit) {
    float row_max = logit;
    for (const float score : scores) row_max = score > row_max ? score : row_max;
    for (float& score : scores) score -= row_max;
    float share = logit - row_max;
    simd::kernels().exp_nonpositive(scores.data(), scores.size());
    simd::kernels().exp_nonpositive(&share, 1);
    const auto row_sum = static_cast<float>(sum_of_row(scores) + static_cast<double>(share));
    simd::kernels().divide(scores.data(), scores.size(), row_sum);
    return share / row_sum;
}

}  // namespace

void weigh_rows_with_sink(const HeadProblem& problem, std::size_t first, std::size_t end, float* scores,
                          std::size_t scores_stride, float* weights, std::size_t weights_stride, std::size_t zero_end,
                          float* sink_weights) {
    for (std::size_t i = first; i < end; ++i, scores += scores_stride, weights += weights_stride) {
        const bool is_any_mask = problem.visible[i] == 0;
        const std::size_t n = is_any_mask ? problem.num_tokens : static_cast<std::size_t>(problem.visible[i]);
        change_row(problem, i, n, scores);
        if (is_any_mask) hide_keys(problem.hidden_row(i), -std::numeric_limits<float>::infinity(), scores);
        sink_weights[i - first] = softmax_row_with_sink({scores, n}, *problem.sink_logit);
        if (weights != scores) std::copy_n(scores, n, weights);
        if (is_any_mask) hide_keys(problem.hidden_row(i), 0, weights);  // even in a row that is no number
        if (zero_end > n) std::fill(weights + n, weights + zero_end, 0.0f);
    }
}

}  // namespace attn
