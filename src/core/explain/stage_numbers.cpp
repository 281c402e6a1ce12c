// What is kept is copied; the (T, T) stages and the gradients between the kept ones are made here.
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <span>

#include "core/attention/rms_norm.h"
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
    if (stage == TensorId::rotated_queries) return trace.changed_query;
    if (stage == TensorId::rotated_keys) return trace.changed_key;
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
    if (kOpensModels && is_block_stage(stage)) return row_of(*block_matrix(*trace.block, stage), i);
    return row_of(kept_cube(trace, stage), has_kv_heads(stage) ? problem.kv_head(h) : h, i);
}

bool is_of_absorbed_order(TensorId stage) {
    return kHasLatents && (stage == TensorId::absorbed_queries || stage == TensorId::mixed_latents);
}

bool is_normed(TensorId stage) {
    return !kForwardOnly && (stage == TensorId::normed_queries || stage == TensorId::normed_keys);
}

// Whether the rows are made of kept ones when they are asked for, each by itself.
bool is_made_row_by_row(TensorId stage) {
    return needs_goal(stage) || is_of_absorbed_order(stage) || is_normed(stage);
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

void make_normed_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int h, int i,
                     std::span<float> numbers) {
    const bool is_query = stage == TensorId::normed_queries;
    const Projections& p = problem.projections;
    rms_norm(kept_row(problem, trace, is_query ? TensorId::queries : TensorId::keys, h, i),
             elements(is_query ? p.q_norm : p.k_norm), kQueryKeyNormEps, numbers);
}

void make_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int h, int i,
              std::span<float> numbers) {
    if (is_normed(stage)) return make_normed_row(problem, trace, stage, h, i, numbers);
    if (is_of_absorbed_order(stage)) return make_absorbed_row(problem, trace, stage, h, i, numbers);
    make_gradient_row(problem, trace, stage, h, i, numbers);
}

}  // namespace

Matrix stage_matrix(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head) {
    check_cell(problem, trace, stage, head, 0);
    const Extent extent = extent_of(sizes_of(problem), stage);
    Matrix matrix = zeros<Matrix>(extent.rows, extent.columns);
    if (is_made_row_by_row(stage)) {
        for (int i = 0; i < length(matrix, 0); ++i) make_row(problem, trace, stage, head, i, row_of(matrix, i));
    } else if (is_score_row(stage)) {
        make_score_rows(problem, trace, stage, head, 0, problem.num_tokens(), elements(matrix));
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
    if (is_made_row_by_row(stage)) {
        make_row(problem, trace, stage, head, row, elements(vector));
    } else if (is_score_row(stage)) {
        make_score_rows(problem, trace, stage, head, row, row + 1, elements(vector));
    } else {
        const std::span<const float> kept = kept_row(problem, trace, stage, head, row);
        std::copy(kept.begin(), kept.end(), vector.begin());
    }
    return vector;
}

float stage_number(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head, int row,
                   int column) {
    if (is_made_row_by_row(stage) || is_score_row(stage)) return stage_row(problem, trace, stage, head, row)(column);
    check_cell(problem, trace, stage, head, row);
    return kept_row(problem, trace, stage, head, row)[static_cast<std::size_t>(column)];
}

}  // namespace attn
