// See the header. attention_reference.cpp says the same in plain loops: read that first.
#include "core/attention_work.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/attention_checks.h"
#include "core/check.h"
#include "core/random.h"
#include "core/score_rows.h"
#include "core/simd_kernels.h"

namespace attn {
namespace {

constexpr int kRowsAStep = 64;

std::size_t as_size(int n) {
    return static_cast<std::size_t>(n);
}

// Rows first to end of x . w + b. `b` (n_out) is added last; size 0: nothing is added.
Matrix project(const Matrix& x, const Matrix& w, const Vector& b, int first, int end) {
    const std::size_t num_rows = as_size(end - first);
    Matrix result = zeros<Matrix>(num_rows, w.shape(1));
    const std::span<const float> rows = elements(x).subspan(as_size(first) * x.shape(1), num_rows * x.shape(1));
    simd::multiply(rows, elements(w), elements(result), {num_rows, x.shape(1), w.shape(1)});
    if (b.size() == 0) return result;
    for (int i = 0; i < length(result, 0); ++i) {
        for (int c = 0; c < length(result, 1); ++c) result(i, c) += b(c);
    }
    return result;
}

// Rows first to end of the queries, keys or values: X itself where there are no matrices, then the numbers that were
// typed; cut into heads, head h takes columns h * head_dim to (h + 1) * head_dim.
void make_role_rows(const AttentionProblem& problem, TensorId role, const Matrix& w, const Vector& b, int first,
                    int end, Cube& heads) {
    Matrix rows;
    if (w.size() != 0) rows = project(problem.embeddings, w, b, first, end);
    const std::size_t head_dim = heads.shape(2);
    for (int i = first; i < end; ++i) {
        const std::span<const float> row =
            w.size() != 0 ? row_of(std::as_const(rows), i - first) : row_of(problem.embeddings, i);
        for (int h = 0; h < length(heads, 0); ++h) {
            const std::span<const float> columns = row.subspan(as_size(h) * head_dim, head_dim);
            std::copy(columns.begin(), columns.end(), row_of(heads, h, i).begin());
        }
    }
    for (const TypedNumber& typed : problem.typed_roles) {
        if (typed.role != role || typed.row < first || typed.row >= end) continue;
        const int dim = static_cast<int>(head_dim);
        heads(typed.column / dim, typed.row, typed.column % dim) = typed.value;
    }
}

// context(h, i) = sum over the visible keys j, in order, of weight(i, j) * value(j). Hidden keys are left out, not
// added as zeros, so that what they hold (even infinity) cannot be felt.
void mix_values(const AttentionProblem& problem, AttentionTrace& trace, int h, int first, int end) {
    const bool has_dropout = has_stage(problem, TensorId::dropped_weights);
    const float scale = keep_scale(problem.settings.dropout);
    std::vector<float> visible_weights;
    std::vector<int> visible_keys;
    for (int i = first; i < end; ++i) {
        const std::span<const float> weights = row_of(std::as_const(trace.weights), h, i);
        visible_weights.clear();
        visible_keys.clear();
        for (int j = 0; j < problem.num_tokens(); ++j) {
            if (problem.hidden(i, j) != 0) continue;
            const float dropped = !has_dropout ? 1.0f : trace.keep(h, i, j) != 0 ? scale : 0.0f;
            visible_weights.push_back(has_dropout ? weights[as_size(j)] * dropped : weights[as_size(j)]);
            visible_keys.push_back(j);
        }
        simd::weighted_sum_of_rows(visible_weights, visible_keys, head_of(std::as_const(trace.value), h),
                                   row_of(trace.context, h, i));
    }
}

}  // namespace

AttentionWork::AttentionWork(const AttentionProblem& problem, AttentionTrace& trace, int first_head) {
    check_shapes(problem);
    const std::int64_t T = problem.num_tokens();
    const std::int64_t d_in = problem.d_in();
    const std::int64_t d_out = problem.d_out();
    const std::int64_t head_dim = problem.head_dim();
    const int num_heads = problem.settings.num_heads;
    ATTN_CHECK(first_head >= 0 && first_head < num_heads, "first_head is ", first_head, ", want 0 to ", num_heads - 1);
    const bool has_dropout = has_stage(problem, TensorId::dropped_weights);
    const bool has_output = has_stage(problem, TensorId::output);

    trace = AttentionTrace();
    trace.query = zeros<Cube>(num_heads, T, head_dim);
    trace.key = zeros<Cube>(num_heads, T, head_dim);
    trace.value = zeros<Cube>(num_heads, T, head_dim);
    trace.weights = zeros<Cube>(num_heads, T, T);
    if (has_dropout) trace.keep = zeros<FlagCube>(num_heads, T, T);
    trace.context = zeros<Cube>(num_heads, T, head_dim);
    trace.merged = zeros<Matrix>(T, d_out);
    if (has_output) trace.output = zeros<Matrix>(T, d_out);
    trace.ready.heads.assign(as_size(num_heads), 0);

    const int num_rows = static_cast<int>(T);
    add_steps(Step::Kind::roles, 0, num_rows, problem.projections.w_query.size() == 0 ? 3 * d_out : 3 * d_in * d_out);
    if (has_dropout) add_steps(Step::Kind::keep_mask, 0, 1, num_heads * T * T);
    for (int n = 0; n < num_heads; ++n) {
        const int head = n == 0 ? first_head : n <= first_head ? n - 1 : n;
        add_steps(Step::Kind::head, head, num_rows, 2 * T * head_dim);
    }
    add_steps(Step::Kind::output, 0, num_rows, has_output ? d_out * d_out : d_out);
}

AttentionWork::AttentionWork(const AttentionProblem& problem, AttentionTrace& trace, int first_head,
                             const AttentionProblem& /*earlier_problem*/, AttentionTrace&& earlier_trace)
    : AttentionWork((earlier_trace = AttentionTrace(), problem), trace, first_head) {}

void AttentionWork::add_steps(Step::Kind kind, int head, int num_rows, std::int64_t multiply_adds_a_row) {
    for (int first = 0; first < num_rows; first += kRowsAStep) {
        const int end = std::min(first + kRowsAStep, num_rows);
        steps_.push_back({kind, head, first, end, (end - first) * multiply_adds_a_row});
        in_all_ += steps_.back().multiply_adds;
    }
}

bool AttentionWork::advance(const AttentionProblem& problem, AttentionTrace& trace, std::int64_t multiply_adds) {
    const std::int64_t goal = done_ + multiply_adds;
    while (!is_done()) {
        const Step& step = steps_[next_];
        run(step, problem, trace);
        done_ += step.multiply_adds;
        const bool is_last = step.end == problem.num_tokens();
        if (is_last && step.kind == Step::Kind::roles) trace.ready.roles = true;
        if (is_last && step.kind == Step::Kind::head) {
            trace.ready.heads[as_size(step.head)] = 1;
            ++num_heads_done_;
        }
        if (is_last && step.kind == Step::Kind::output) trace.ready.output = true;
        ++next_;
        if (done_ >= goal) break;
    }
    return is_done();
}

void AttentionWork::run(const Step& step, const AttentionProblem& problem, AttentionTrace& trace) {
    const Projections& p = problem.projections;
    const std::int64_t num_rows = step.end - step.first;
    switch (step.kind) {
        case Step::Kind::roles:
            make_role_rows(problem, TensorId::queries, p.w_query, p.b_query, step.first, step.end, trace.query);
            make_role_rows(problem, TensorId::keys, p.w_key, p.b_key, step.first, step.end, trace.key);
            make_role_rows(problem, TensorId::values, p.w_value, p.b_value, step.first, step.end, trace.value);
            rows_.queries += num_rows;
            rows_.keys += num_rows;
            rows_.values += num_rows;
            break;
        case Step::Kind::keep_mask: {
            TorchGenerator generator(problem.settings.dropout_seed);
            fill_keep_mask(generator, elements(trace.keep), problem.settings.dropout, problem.settings.dropout_skip);
            break;
        }
        case Step::Kind::head: {
            const std::size_t T = as_size(problem.num_tokens());
            make_score_rows(
                problem, trace, TensorId::weights, step.head, step.first, step.end,
                head_of(trace.weights, step.head).subspan(as_size(step.first) * T, as_size(step.end - step.first) * T));
            mix_values(problem, trace, step.head, step.first, step.end);
            rows_.weights += num_rows;
            rows_.context += num_rows;
            break;
        }
        case Step::Kind::output: {
            const std::size_t head_dim = trace.context.shape(2);
            for (int i = step.first; i < step.end; ++i) {
                for (int h = 0; h < length(trace.context, 0); ++h) {
                    const std::span<const float> columns = row_of(std::as_const(trace.context), h, i);
                    std::copy(columns.begin(), columns.end(),
                              row_of(trace.merged, i).subspan(as_size(h) * head_dim).begin());
                }
            }
            if (trace.output.size() == 0) break;
            const Matrix rows = project(trace.merged, p.w_out, p.b_out, step.first, step.end);
            std::copy(rows.begin(), rows.end(), row_of(trace.output, step.first).begin());
            rows_.output += num_rows;
            break;
        }
    }
}

}  // namespace attn
