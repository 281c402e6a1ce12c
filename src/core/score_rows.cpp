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

// From the scores of row i to the stage, in place.
void finish_row(const AttentionProblem& problem, TensorId stage, int i, std::span<float> row) {
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
}

void drop(const AttentionProblem& problem, const AttentionTrace& trace, int h, int i, std::span<float> row) {
    const std::span<const std::uint8_t> keep = row_of(trace.keep, h, i);
    const float scale = keep_scale(problem.settings.dropout);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] *= keep[j] != 0 ? scale : 0.0f;
}

}  // namespace

bool is_score_row(TensorId stage) {
    return stage >= TensorId::scores && stage <= TensorId::dropped_weights;
}

void make_score_rows(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int h, int first,
                     int end, std::span<float> rows) {
    const std::size_t T = trace.key.shape(1);
    const std::size_t head_dim = trace.key.shape(2);
    const std::size_t num_rows = static_cast<std::size_t>(end - first);
    const std::size_t offset = static_cast<std::size_t>(first);
    const TensorId undropped = stage == TensorId::dropped_weights ? TensorId::weights : stage;
    if (undropped == TensorId::weights && trace.ready.heads[static_cast<std::size_t>(h)] != 0) {
        const std::span<const float> kept = head_of(trace.weights, h).subspan(offset * T, num_rows * T);
        std::copy(kept.begin(), kept.end(), rows.begin());
    } else {
        simd::multiply_by_transposed(head_of(trace.query, h).subspan(offset * head_dim, num_rows * head_dim),
                                     head_of(trace.key, h), rows, {num_rows, head_dim, T});
        for (int i = first; i < end; ++i) {
            finish_row(problem, undropped, i, rows.subspan(static_cast<std::size_t>(i - first) * T, T));
        }
    }
    if (stage != TensorId::dropped_weights) return;
    for (int i = first; i < end; ++i) {
        drop(problem, trace, h, i, rows.subspan(static_cast<std::size_t>(i - first) * T, T));
    }
}

}  // namespace attn
