// What is kept is copied; the (T, T) stages and the gradients between the kept ones are made here.
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <span>

#include "core/fast/score_rows.h"
#include "core/ground/check.h"
#include "core/learn/gradient_rows.h"

namespace attn {
namespace {

void check_cell(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head, int row) {
    const int num_heads = stage_info(stage).has_heads ? problem.settings.num_heads : 1;
    ATTN_CHECK(has_stage(problem, stage), "this problem has no stage ", tensor_name(stage));
    ATTN_CHECK(head >= 0 && head < num_heads, "head is ", head, ", want 0 to ", num_heads - 1);
    const int num_rows = extent_of(sizes_of(problem), stage).rows;
    ATTN_CHECK(row >= 0 && row < num_rows, "row is ", row, ", want 0 to ", num_rows - 1);
    ATTN_CHECK(is_ready(trace, stage, head), tensor_name(stage), " of head ", head, " is not computed yet");
}

// The tensor behind a stage that is kept with heads.
const Cube& kept_cube(const AttentionTrace& trace, TensorId stage) {
    if (stage == TensorId::queries) return trace.query;
    if (stage == TensorId::keys) return trace.key;
    if (stage == TensorId::values) return trace.value;
    if (stage == TensorId::normed_queries) return trace.normed_query;
    if (stage == TensorId::normed_keys) return trace.normed_key;
    if (stage == TensorId::rotated_queries) return trace.rotated_query;
    if (stage == TensorId::rotated_keys) return trace.rotated_key;
    if (kHasLatents && stage == TensorId::position_queries) return trace.position_query;
    if (kHasSinks && stage == TensorId::sink_weights) return trace.sink_weights;
    ATTN_CHECK(stage == TensorId::context, "stage ", tensor_name(stage), " is not kept with heads");
    return trace.context;
}

// Row i of a stage that is kept.
std::span<const float> kept_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int h,
                                int i) {
    if (stage == TensorId::embeddings) return row_of(problem.embeddings, i);
    if (stage == TensorId::merged) return row_of(trace.merged, i);
    if (stage == TensorId::output) return row_of(trace.output, i);
    if (kHasLatents && stage == TensorId::query_latents) return row_of(trace.query_latents, i);
    if (kHasLatents && stage == TensorId::latents) return row_of(trace.latents, i);
    if (kHasLatents && stage == TensorId::position_keys) return row_of(trace.position_key, i);
    return row_of(kept_cube(trace, stage), has_kv_heads(stage) ? problem.kv_head(h) : h, i);
}

bool is_of_absorbed_order(TensorId stage) {
    return kHasLatents && (stage == TensorId::absorbed_queries || stage == TensorId::mixed_latents);
}

// Row i of the other order of the products: a query times w_key, or the latents mixed by the weights. Sums run in
// order.
void make_absorbed_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int h, int i,
                       std::span<float> numbers) {
    const auto latent = numbers.size();
    std::fill(numbers.begin(), numbers.end(), 0.0F);
    if (stage == TensorId::absorbed_queries) {
        const std::span<const float> query = row_of(trace.query, h, i);
        const std::size_t first = static_cast<std::size_t>(problem.kv_head(h)) * query.size();
        for (std::size_t l = 0; l < latent; ++l) {
            const std::span<const float> w_key = row_of(problem.projections->w_key, static_cast<int>(l));
            for (std::size_t c = 0; c < query.size(); ++c) numbers[l] += query[c] * w_key[first + c];
        }
        return;
    }
    const bool drops = has_stage(problem, TensorId::dropped_weights);
    const Vector mix = stage_row(problem, trace, drops ? TensorId::dropped_weights : TensorId::weights, h, i);
    for (int j = 0; j < problem.num_tokens(); ++j) {
        if (problem.hidden(i, j) != 0) continue;
        const std::span<const float> of_key = row_of(trace.latents, j);
        for (std::size_t l = 0; l < latent; ++l) numbers[l] += mix(j) * of_key[l];
    }
}

}  // namespace

Matrix stage_matrix(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head) {
    check_cell(problem, trace, stage, head, 0);
    const Extent extent = extent_of(sizes_of(problem), stage);
    Matrix matrix = zeros<Matrix>(extent.rows, extent.columns);
    if (needs_goal(stage)) {
        for (int i = 0; i < length(matrix, 0); ++i)
            make_gradient_row(problem, trace, stage, head, i, row_of(matrix, i));
        return matrix;
    }
    if (is_score_row(stage)) {
        make_score_rows(problem, trace, stage, head, 0, problem.num_tokens(), elements(matrix));
    } else if (is_of_absorbed_order(stage)) {
        for (int i = 0; i < problem.num_tokens(); ++i)
            make_absorbed_row(problem, trace, stage, head, i, row_of(matrix, i));
    } else {
        for (int i = 0; i < problem.num_tokens(); ++i) {
            const std::span<const float> kept = kept_row(problem, trace, stage, head, i);
            std::copy(kept.begin(), kept.end(), row_of(matrix, i).begin());
        }
    }
    return matrix;
}

Vector stage_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head, int row) {
    check_cell(problem, trace, stage, head, row);
    Vector vector = zeros<Vector>(extent_of(sizes_of(problem), stage).columns);
    if (needs_goal(stage)) {
        make_gradient_row(problem, trace, stage, head, row, elements(vector));
        return vector;
    }
    if (is_score_row(stage)) {
        make_score_rows(problem, trace, stage, head, row, row + 1, elements(vector));
    } else if (is_of_absorbed_order(stage)) {
        make_absorbed_row(problem, trace, stage, head, row, elements(vector));
    } else {
        const std::span<const float> kept = kept_row(problem, trace, stage, head, row);
        std::copy(kept.begin(), kept.end(), vector.begin());
    }
    return vector;
}

float stage_number(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head, int row,
                   int column) {
    const bool is_kept = !needs_goal(stage) && !is_score_row(stage) && !is_of_absorbed_order(stage);
    if (!is_kept) return stage_row(problem, trace, stage, head, row)(column);
    check_cell(problem, trace, stage, head, row);
    return kept_row(problem, trace, stage, head, row)[static_cast<std::size_t>(column)];
}

}  // namespace attn
