// See score_rows.h. attention_reference.cpp says the same in plain loops over whole tensors.
#include "core/score_rows.h"

#include <algorithm>
#include <limits>

#include "core/masking.h"
#include "core/simd_kernels.h"

namespace attn {
namespace {

// Divides a row by its sum. The sum is taken in double, key by key, so that the row sums to 1 within 1e-6 for 2048 keys
// too, and zeros at the end change nothing. A sum of 0 makes NaN of the row, as it does in PyTorch.
void divide_by_sum(std::span<float> row) {
    double sum = 0;
    for (const float value : row) sum += static_cast<double>(value);
    const float row_sum = static_cast<float>(sum);
    for (float& value : row) value /= row_sum;
}

// Softmax of one row of scores, in place. A hidden key (-inf) gets exactly 0.
void softmax_row(std::span<float> row) {
    const float row_max = *std::max_element(row.begin(), row.end());
    for (float& value : row) value -= row_max;  // the largest becomes 0: no overflow, and a sum of at least 1
    simd::exp_nonpositive(row);
    divide_by_sum(row);
}

void hide(std::span<const std::uint8_t> hidden, float hidden_value, std::span<float> row) {
    for (std::size_t j = 0; j < row.size(); ++j) {
        if (hidden[j] != 0) row[j] = hidden_value;
    }
}

}  // namespace

bool is_score_row(TensorId stage) {
    return stage >= TensorId::scores && stage <= TensorId::dropped_weights;
}

void make_score_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int h, int i,
                    std::span<float> row) {
    const std::span<const float> scores = row_of(trace.scores, h, i);
    std::copy(scores.begin(), scores.end(), row.begin());
    if (stage == TensorId::scores) return;

    const float divisor = score_divisor(problem.settings, problem.head_dim());
    for (float& value : row) value /= divisor;
    if (stage == TensorId::scaled_scores) return;

    const std::span<const std::uint8_t> hidden = row_of(problem.hidden, i);
    const MaskAt mask_at = problem.settings.mask_at;
    if (mask_at == MaskAt::before) hide(hidden, -std::numeric_limits<float>::infinity(), row);
    if (stage == TensorId::masked_scores) return;

    softmax_row(row);
    if (stage == TensorId::unmasked_weights) return;

    if (mask_at != MaskAt::before) hide(hidden, 0, row);
    if (mask_at == MaskAt::after) divide_by_sum(row);
    if (stage == TensorId::weights) return;

    const std::span<const std::uint8_t> keep = row_of(trace.keep, h, i);
    const float scale = keep_scale(problem.settings.dropout);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] *= keep[j] != 0 ? scale : 0.0f;
}

}  // namespace attn
