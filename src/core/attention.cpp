// Attention, fast. attention_reference.cpp says the same in plain loops: read that first.
#include "core/attention.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/attention_work.h"
#include "core/check.h"
#include "core/masking.h"
#include "core/score_rows.h"

namespace attn {
namespace {

void check_cell(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head, int row) {
    const int num_heads = stage_info(stage).has_heads ? problem.settings.num_heads : 1;
    ATTN_CHECK(has_stage(problem, stage), "this problem has no stage ", tensor_name(stage));
    ATTN_CHECK(head >= 0 && head < num_heads, "head is ", head, ", want 0 to ", num_heads - 1);
    ATTN_CHECK(row >= 0 && row < problem.num_tokens(), "row is ", row, ", want 0 to ", problem.num_tokens() - 1);
    ATTN_CHECK(is_ready(trace, stage, head), tensor_name(stage), " of head ", head, " is not computed yet");
}

// The tensor behind a stage that is kept with heads.
const Cube& kept_cube(const AttentionTrace& trace, TensorId stage) {
    if (stage == TensorId::queries) return trace.query;
    if (stage == TensorId::keys) return trace.key;
    if (stage == TensorId::values) return trace.value;
    ATTN_CHECK(stage == TensorId::context, "stage ", tensor_name(stage), " is not kept with heads");
    return trace.context;
}

// Row i of a stage that is kept.
std::span<const float> kept_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int h,
                                int i) {
    if (stage == TensorId::embeddings) return row_of(problem.embeddings, i);
    if (stage == TensorId::merged) return row_of(trace.merged, i);
    if (stage == TensorId::output) return row_of(trace.output, i);
    return row_of(kept_cube(trace, stage), h, i);
}

int num_columns(const AttentionProblem& problem, TensorId stage) {
    const StageInfo& info = stage_info(stage);
    if (info.columns == Axis::key_token) return problem.num_tokens();
    if (stage == TensorId::embeddings) return problem.d_in();
    return info.has_heads ? problem.head_dim() : problem.d_out();
}

}  // namespace

int AttentionProblem::d_out() const {
    return projections.w_query.size() == 0 ? d_in() : length(projections.w_query, 1);
}

Flags make_mask(Mask mask, int num_tokens) {
    if (mask == Mask::none) return zeros<Flags>(num_tokens, num_tokens);
    Flags hidden = unset<Flags>(num_tokens, num_tokens);
    for (int i = 0; i < num_tokens; ++i) {
        const std::span<std::uint8_t> row = row_of(hidden, i);
        const auto first_hidden = row.begin() + i + 1;
        std::fill(row.begin(), first_hidden, std::uint8_t{0});
        std::fill(first_hidden, row.end(), std::uint8_t{1});
    }
    return hidden;
}

float score_divisor(const AttentionSettings& settings, int head_dim) {
    double scale = 1;
    if (settings.scale == Scale::sqrt) scale = std::sqrt(static_cast<double>(head_dim));
    if (settings.scale == Scale::dim) scale = head_dim;
    return static_cast<float>(scale * static_cast<double>(settings.temperature));
}

float keep_scale(double dropout) {
    return 1.0f / static_cast<float>(1.0 - dropout);
}

AttentionTrace attend(const AttentionProblem& problem) {
    AttentionTrace trace;
    AttentionWork work(problem, trace, -1);
    work.advance(problem, trace, work.multiply_adds_in_all());
    return trace;
}

bool is_ready(const AttentionTrace& trace, TensorId stage, int head) {
    if (stage == TensorId::embeddings) return true;
    if (stage == TensorId::merged || stage == TensorId::output) return trace.ready.output;
    if (!trace.ready.heads.empty() && trace.ready.heads[static_cast<std::size_t>(head)] != 0) return true;
    return trace.ready.roles && stage != TensorId::dropped_weights && stage != TensorId::context;
}

bool has_stage(const AttentionProblem& problem, TensorId stage) {
    if (stage == TensorId::dropped_weights) return problem.settings.dropout > 0;
    if (stage == TensorId::output) return problem.projections.w_out.size() != 0;
    return stage_info(stage).id == stage && exists_with(problem.settings.mask_at, stage);
}

Matrix stage_matrix(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head) {
    check_cell(problem, trace, stage, head, 0);
    Matrix matrix = zeros<Matrix>(problem.num_tokens(), num_columns(problem, stage));
    if (is_score_row(stage)) {
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
    Vector vector = zeros<Vector>(num_columns(problem, stage));
    if (is_score_row(stage)) {
        make_score_rows(problem, trace, stage, head, row, row + 1, elements(vector));
    } else {
        const std::span<const float> kept = kept_row(problem, trace, stage, head, row);
        std::copy(kept.begin(), kept.end(), vector.begin());
    }
    return vector;
}

}  // namespace attn
