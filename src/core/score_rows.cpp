// See score_rows.h. attention_reference.cpp says the same in plain loops over whole tensors.
#include "core/score_rows.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/check.h"
#include "core/head_attention.h"
#include "core/simd_kernels.h"

namespace attn {
namespace {

// From the scores of row i (room for T rounded up to 16) to the stage.
void finish_row(const HeadProblem& head, TensorId stage, std::size_t i, float* scores, std::span<float> row) {
    const simd::Kernels& kernels = simd::kernels();
    if (stage == TensorId::weights || stage == TensorId::dropped_weights) {
        weigh_rows(head, i, i + 1, scores, 0, row.data(), 0, row.size());
        return;
    }
    if (stage == TensorId::unmasked_weights) {
        const std::size_t count = row.size();
        kernels.softmax({scores, 0, row.data(), 0, count}, &count, 1, head.divisor);
        return;
    }
    std::copy_n(scores, row.size(), row.begin());
    if (stage == TensorId::scores) return;
    kernels.divide(row.data(), row.size(), head.divisor);
    if (stage == TensorId::scaled_scores) return;
    const float hidden = -std::numeric_limits<float>::infinity();
    if (head.visible[i] != 0) {
        std::fill(row.begin() + head.visible[i], row.end(), hidden);
    } else {
        hide_keys(head.hidden_row(i), hidden, row.data());
    }
}

void compute_rows(const HeadProblem& head, TensorId stage, std::size_t first, std::size_t end, std::span<float> rows) {
    const std::size_t T = head.num_tokens;
    HeadAttention attention;
    ATTN_CHECK(attention.reserve(T, head.head_dim), "no memory for scores of ", T, " tokens");
    attention.begin_scores(head);
    for (std::size_t block = first; block < end; block += HeadAttention::rows_at_once()) {
        const std::size_t block_end = std::min(block + HeadAttention::rows_at_once(), end);
        float* scores = attention.make_scores(head, block, block_end);
        for (std::size_t i = block; i < block_end; ++i, scores += attention.row_stride()) {
            finish_row(head, stage, i, scores, rows.subspan((i - first) * T, T));
        }
    }
}

}  // namespace

bool is_score_row(TensorId stage) {
    return stage >= TensorId::scores && stage <= TensorId::dropped_weights;
}

HeadProblem head_problem(const AttentionProblem& problem, const AttentionTrace& trace, int h,
                         std::span<const int> visible) {
    return {.num_tokens = trace.key.shape(1),
            .head_dim = trace.key.shape(2),
            .query = head_of(trace.query, h).data(),
            .key = head_of(trace.key, h).data(),
            .value = head_of(trace.value, h).data(),
            .divisor = score_divisor(problem.settings, problem.head_dim()),
            .mask_at = problem.settings.mask_at,
            .visible = visible.data(),
            .hidden = problem.hidden.data(),
            .keep = trace.keep.size() == 0 ? nullptr : head_of(trace.keep, h).data(),
            .keep_scale = keep_scale(problem.settings.dropout)};
}

void make_score_rows(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int h, int first,
                     int end, std::span<float> rows) {
    const std::size_t T = trace.key.shape(1);
    std::vector<int> visible(T);
    for (int i = first; i < end; ++i) {
        visible[static_cast<std::size_t>(i)] = visible_in(row_of(problem.hidden, i).data(), T);
    }
    const HeadProblem head = head_problem(problem, trace, h, visible);
    const bool wants_weights = stage == TensorId::weights || stage == TensorId::dropped_weights;
    if (wants_weights && trace.ready.heads[static_cast<std::size_t>(h)] != 0) {
        for (int i = first; i < end; ++i) {
            const std::span<const float> kept = row_of(trace.weights, h, i);
            std::copy(kept.begin(), kept.end(), rows.subspan(static_cast<std::size_t>(i - first) * T).begin());
        }
    } else {
        compute_rows(head, stage, static_cast<std::size_t>(first), static_cast<std::size_t>(end), rows);
    }
    if (stage != TensorId::dropped_weights) return;
    for (int i = first; i < end; ++i) {
        float* row = rows.data() + static_cast<std::size_t>(i - first) * T;
        drop_row(head, static_cast<std::size_t>(i), row, T, row);
    }
}

}  // namespace attn
