// Attention, fast. attention_reference.cpp says the same in plain loops: read that first.
#include "core/attention.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/masking.h"
#include "core/random.h"
#include "core/score_rows.h"
#include "core/simd_kernels.h"

namespace attn {
namespace {

std::size_t as_size(int n) {
    return static_cast<std::size_t>(n);
}

void check_matrix(const char* name, const Matrix& matrix, int rows, int columns) {
    ATTN_CHECK(length(matrix, 0) == rows && length(matrix, 1) == columns, name, " is (", length(matrix, 0), ", ",
               length(matrix, 1), "), want (", rows, ", ", columns, ")");
}

void check_bias(const char* name, const Vector& bias, int d_out) {
    ATTN_CHECK(bias.size() == 0 || length(bias, 0) == d_out, name, " is (", length(bias, 0), "), want (", d_out,
               ") or none");
}

// Holds every tensor of the problem to the shape its comment gives.
void check_shapes(const AttentionProblem& problem) {
    const Projections& p = problem.projections;
    const int T = problem.num_tokens();
    const int d_in = problem.d_in();
    const int d_out = problem.d_out();
    ATTN_CHECK(T >= 1 && d_in >= 1, "embeddings is (", T, ", ", d_in, "), want at least (1, 1)");
    if (p.w_query.size() == 0) {
        ATTN_CHECK(p.w_key.size() == 0 && p.w_value.size() == 0 && p.b_query.size() == 0 && p.b_key.size() == 0 &&
                       p.b_value.size() == 0,
                   "w_query is absent, but another input projection is not");
    } else {
        check_matrix("w_query", p.w_query, d_in, d_out);
        check_matrix("w_key", p.w_key, d_in, d_out);
        check_matrix("w_value", p.w_value, d_in, d_out);
        check_bias("b_query", p.b_query, d_out);
        check_bias("b_key", p.b_key, d_out);
        check_bias("b_value", p.b_value, d_out);
    }
    if (p.w_out.size() != 0) check_matrix("w_out", p.w_out, d_out, d_out);
    ATTN_CHECK(p.w_out.size() != 0 || p.b_out.size() == 0, "b_out without w_out");
    check_bias("b_out", p.b_out, d_out);
    for (const TypedNumber& typed : problem.typed_roles) {
        ATTN_CHECK(typed.role == TensorId::queries || typed.role == TensorId::keys || typed.role == TensorId::values,
                   tensor_name(typed.role), " are not queries, keys or values");
        ATTN_CHECK(typed.row >= 0 && typed.row < T && typed.column >= 0 && typed.column < d_out, "typed ",
                   tensor_name(typed.role), "[", typed.row, ",", typed.column, "], want below (", T, ", ", d_out, ")");
    }
    const AttentionSettings& settings = problem.settings;
    ATTN_CHECK(settings.num_heads >= 1 && d_out % settings.num_heads == 0, settings.num_heads, " heads do not divide ",
               d_out, " channels");
    ATTN_CHECK(settings.dropout >= 0 && settings.dropout < 1, "dropout is ", settings.dropout,
               ", want 0 <= dropout < 1");
    const float divisor = score_divisor(settings, problem.head_dim());
    ATTN_CHECK(divisor > 0 && std::isfinite(divisor), "scores would be divided by ", divisor,
               ", want a number above 0");
    ATTN_CHECK(length(problem.hidden, 0) == T && length(problem.hidden, 1) == T, "hidden is (",
               length(problem.hidden, 0), ", ", length(problem.hidden, 1), "), want (", T, ", ", T, ")");
    for (int i = 0; i < T; ++i) {
        const std::span<const std::uint8_t> row = row_of(problem.hidden, i);
        ATTN_CHECK(std::find(row.begin(), row.end(), 0) != row.end(), "query ", i, " has no visible key");
    }
}

void check_cell(const AttentionProblem& problem, TensorId stage, int head, int row) {
    const int num_heads = stage_info(stage).has_heads ? problem.settings.num_heads : 1;
    ATTN_CHECK(has_stage(problem, stage), "this problem has no stage ", tensor_name(stage));
    ATTN_CHECK(head >= 0 && head < num_heads, "head is ", head, ", want 0 to ", num_heads - 1);
    ATTN_CHECK(row >= 0 && row < problem.num_tokens(), "row is ", row, ", want 0 to ", problem.num_tokens() - 1);
}

// x . w + b: (T, n_in) times (n_in, n_out). `b` (n_out) is added last; size 0: nothing is added.
Matrix project(const Matrix& x, const Matrix& w, const Vector& b) {
    Matrix result = zeros<Matrix>(x.shape(0), w.shape(1));
    simd::multiply(elements(x), elements(w), elements(result), {x.shape(0), x.shape(1), w.shape(1)});
    if (b.size() == 0) return result;
    for (int i = 0; i < length(result, 0); ++i) {
        for (int c = 0; c < length(result, 1); ++c) result(i, c) += b(c);
    }
    return result;
}

// The queries, keys or values before the cut into heads, (T, d_out): X itself where there are no matrices, then the
// numbers that were typed.
Matrix role_matrix(const AttentionProblem& problem, TensorId role, const Matrix& w, const Vector& b) {
    Matrix result = w.size() == 0 ? problem.embeddings : project(problem.embeddings, w, b);
    for (const TypedNumber& typed : problem.typed_roles) {
        if (typed.role == role) result(typed.row, typed.column) = typed.value;
    }
    return result;
}

// (T, d_out) cut into (num_heads, T, head_dim): head h takes columns h * head_dim to (h + 1) * head_dim.
Cube split_heads(const Matrix& x, int num_heads) {
    const int T = length(x, 0);
    const std::size_t head_dim = x.shape(1) / as_size(num_heads);
    Cube heads = zeros<Cube>(num_heads, T, head_dim);
    for (int h = 0; h < num_heads; ++h) {
        for (int i = 0; i < T; ++i) {
            const std::span<const float> columns = row_of(x, i).subspan(as_size(h) * head_dim, head_dim);
            std::copy(columns.begin(), columns.end(), row_of(heads, h, i).begin());
        }
    }
    return heads;
}

// The way back: (num_heads, T, head_dim) to (T, d_out), heads side by side.
Matrix merge_heads(const Cube& heads) {
    const std::size_t head_dim = heads.shape(2);
    Matrix merged = zeros<Matrix>(heads.shape(1), heads.shape(0) * head_dim);
    for (int h = 0; h < length(heads, 0); ++h) {
        for (int i = 0; i < length(heads, 1); ++i) {
            const std::span<const float> columns = row_of(heads, h, i);
            std::copy(columns.begin(), columns.end(), row_of(merged, i).subspan(as_size(h) * head_dim).begin());
        }
    }
    return merged;
}

// What the values are mixed by: the last of the (T, T) stages.
TensorId mixing_stage(const AttentionProblem& problem) {
    return has_stage(problem, TensorId::dropped_weights) ? TensorId::dropped_weights : TensorId::weights;
}

// context(h, i) = sum over the visible keys j, in order, of weight(i, j) * value(j). Hidden keys are left out, not
// added as zeros, so that what they hold (even infinity) cannot be felt.
void mix_values(const AttentionProblem& problem, AttentionTrace& trace) {
    const std::size_t T = as_size(problem.num_tokens());
    const TensorId stage = mixing_stage(problem);
    std::vector<float> row(T);
    std::vector<float> visible_weights;
    std::vector<int> visible_keys;
    for (int h = 0; h < problem.settings.num_heads; ++h) {
        for (int i = 0; i < problem.num_tokens(); ++i) {
            make_score_row(problem, trace, stage, h, i, row);
            visible_weights.clear();
            visible_keys.clear();
            for (std::size_t j = 0; j < T; ++j) {
                if (row_of(problem.hidden, i)[j] != 0) continue;
                visible_weights.push_back(row[j]);
                visible_keys.push_back(static_cast<int>(j));
            }
            simd::weighted_sum_of_rows(visible_weights, visible_keys, head_of(std::as_const(trace.value), h),
                                       row_of(trace.context, h, i));
        }
    }
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

void write_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int h, int i,
               std::span<float> row) {
    if (is_score_row(stage)) {
        make_score_row(problem, trace, stage, h, i, row);
    } else {
        const std::span<const float> kept = kept_row(problem, trace, stage, h, i);
        std::copy(kept.begin(), kept.end(), row.begin());
    }
}

}  // namespace

int AttentionProblem::d_out() const {
    return projections.w_query.size() == 0 ? d_in() : length(projections.w_query, 1);
}

Flags make_mask(Mask mask, int num_tokens) {
    Flags hidden = zeros<Flags>(num_tokens, num_tokens);
    if (mask == Mask::none) return hidden;
    for (int i = 0; i < num_tokens; ++i) {
        for (int j = i + 1; j < num_tokens; ++j) hidden(i, j) = 1;
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
    check_shapes(problem);
    const Projections& p = problem.projections;
    const AttentionSettings& settings = problem.settings;
    const std::size_t T = as_size(problem.num_tokens());
    const std::size_t head_dim = as_size(problem.head_dim());

    AttentionTrace trace;
    trace.query = split_heads(role_matrix(problem, TensorId::queries, p.w_query, p.b_query), settings.num_heads);
    trace.key = split_heads(role_matrix(problem, TensorId::keys, p.w_key, p.b_key), settings.num_heads);
    trace.value = split_heads(role_matrix(problem, TensorId::values, p.w_value, p.b_value), settings.num_heads);

    trace.scores = zeros<Cube>(settings.num_heads, T, T);
    for (int h = 0; h < settings.num_heads; ++h) {
        simd::multiply_by_transposed(head_of(std::as_const(trace.query), h), head_of(std::as_const(trace.key), h),
                                     head_of(trace.scores, h), {T, head_dim, T});
    }
    if (has_stage(problem, TensorId::dropped_weights)) {
        trace.keep = zeros<FlagCube>(settings.num_heads, T, T);
        TorchGenerator generator(settings.dropout_seed);
        fill_keep_mask(generator, elements(trace.keep), settings.dropout, settings.dropout_skip);
    }
    trace.context = zeros<Cube>(settings.num_heads, T, head_dim);
    mix_values(problem, trace);
    trace.merged = merge_heads(trace.context);
    if (has_stage(problem, TensorId::output)) trace.output = project(trace.merged, p.w_out, p.b_out);
    return trace;
}

bool has_stage(const AttentionProblem& problem, TensorId stage) {
    if (stage == TensorId::dropped_weights) return problem.settings.dropout > 0;
    if (stage == TensorId::output) return problem.projections.w_out.size() != 0;
    return stage_info(stage).id == stage && exists_with(problem.settings.mask_at, stage);
}

Matrix stage_matrix(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head) {
    check_cell(problem, stage, head, 0);
    Matrix matrix = zeros<Matrix>(problem.num_tokens(), num_columns(problem, stage));
    for (int i = 0; i < problem.num_tokens(); ++i) write_row(problem, trace, stage, head, i, row_of(matrix, i));
    return matrix;
}

Vector stage_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head, int row) {
    check_cell(problem, stage, head, row);
    Vector vector = zeros<Vector>(num_columns(problem, stage));
    write_row(problem, trace, stage, head, row, elements(vector));
    return vector;
}

}  // namespace attn
