// Makes rows of one stage from queries and keys. core/operations computes the same in plain loops over whole
// tensors.
#include "core/fast/score_rows.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/fast/head_attention.h"
#include "core/ground/memory_room.h"
#include "core/kernels/simd_kernels.h"

namespace attn {
namespace {

// From the scores of rows first to end, as HeadAttention::make_scores leaves them, to rows (T) of the stage.
void finish_rows(const HeadProblem& head, TensorId stage, std::size_t first, std::size_t end, float* scores,
                 std::size_t stride, float* rows) {
    const std::size_t T = head.num_tokens;
    if (stage == TensorId::weights || stage == TensorId::dropped_weights) {
        if (head.has_sink()) {
            std::vector<float> sink_weights(end - first);
            return weigh_rows_with_sink(head, first, end, scores, stride, rows, T, T, sink_weights.data());
        }
        weigh_rows(head, first, end, scores, stride, rows, T, T);
        return;
    }
    if (stage == TensorId::unmasked_weights) {
        const std::vector<std::size_t> counts(end - first, T);
        for (std::size_t i = first; head.changes_scores() && i < end; ++i)
            change_row(head, i, T, scores + (i - first) * stride);
        simd::kernels().softmax({scores, stride, rows, T, T}, counts.data(), end - first,
                                head.changes_scores() ? 1 : head.divisor);
        return;
    }
    for (std::size_t i = first; i < end; ++i, scores += stride, rows += T) {
        std::copy_n(scores, T, rows);
        finish_scores(head, stage, i, {rows, T});
    }
}

void compute_rows(const HeadProblem& head, TensorId stage, std::size_t first, std::size_t end, std::span<float> rows) {
    const std::size_t T = head.num_tokens;
    HeadAttention attention;
    require_memory(attention.reserve(T, head.head_dim, head.score_dim()));
    attention.begin_scores(head);
    for (std::size_t block = first; block < end; block += HeadAttention::rows_at_once()) {
        const std::size_t block_end = std::min(block + HeadAttention::rows_at_once(), end);
        float* scores = attention.make_scores(head, block, block_end);
        finish_rows(head, stage, block, block_end, scores, attention.row_stride(), rows.data() + (block - first) * T);
    }
}

}  // namespace

bool is_score_row(TensorId stage) {
    return is_stage(stage) && !is_gradient(stage) && dims_of(stage).columns == Dim::keys;
}

void finish_scores(HeadProblem head, TensorId stage, std::size_t i, std::span<float> row) {
    if (stage == TensorId::scores) return;
    if (stage == TensorId::scaled_scores) head.cap = 0;
    if (stage == TensorId::scaled_scores || stage == TensorId::capped_scores) head.slope = 0;
    change_row(head, i, row.size(), row.data());
    if (stage != TensorId::masked_scores) return;
    const float hidden = -std::numeric_limits<float>::infinity();
    if (head.visible[i] != 0) {
        std::fill(row.begin() + head.visible[i], row.end(), hidden);
    } else {
        hide_keys(head.hidden_row(i), hidden, row.data());
    }
}

HeadProblem head_problem(const AttentionProblem& problem, const AttentionTrace& trace, int h,
                         std::span<const int> visible) {
    return {.num_tokens = trace.key.shape(1),
            .head_dim = trace.key.shape(2),
            .own_dim = static_cast<std::size_t>(problem.rope_dim()),
            .query = head_of(trace.scored_query(), h).data(),
            .key = head_of(trace.scored_key(), problem.kv_head(h)).data(),
            .value = head_of(trace.value, problem.kv_head(h)).data(),
            .divisor = score_divisor(problem.settings, problem.head_dim()),
            .sink_logit = problem.has_sink() ? problem.projections->sink_logits.data() + h : nullptr,
            .cap = problem.settings.score_cap,
            .slope = static_cast<float>(slope_of_head(problem.settings, h)),
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
