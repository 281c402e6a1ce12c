// Plans the steps of a computation and takes them one by one. attention_reference.cpp has the plain case on one page:
// read that first.
#include "core/fast/attention_work.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "core/attention/attention_checks.h"
#include "core/fast/changed_rows.h"
#include "core/fast/score_rows.h"
#include "core/fast/work_steps.h"
#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "core/ground/work_parts.h"

namespace attn {
namespace {

// About as much as one step does: 0.6 ms in a browser at 25,000 multiply-adds a microsecond.
constexpr std::int64_t kStepMultiplyAdds = 1 << 24;
constexpr std::int64_t kDrawCost = 128;  // a number of the keep mask takes as long as so many multiply-adds
constexpr std::int64_t kMinRows = 16;    // of a step: whole tiles

// A head that is waited for need not wait for the projections of all others, where those are so many multiply-adds
// (some 20 ms) and so many heads: its own part of them is made first, and once more with the others.
constexpr std::int64_t kManyMultiplyAdds = std::int64_t{1} << 29;
constexpr int kManyHeads = 4;
const float* data_or_null(const Vector& vector) {
    return vector.size() == 0 ? nullptr : vector.data();
}

std::int64_t count_in(std::span<const std::uint8_t> flags, std::int64_t first, std::int64_t end) {
    const std::span<const std::uint8_t> range =
        flags.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
    return std::count(range.begin(), range.end(), 1);
}

}  // namespace

AttentionWork::AttentionWork(const AttentionProblem& problem, AttentionTrace& trace, int first_head) {
    check_shapes(problem);
    reuse_ = ReusePlan(problem);
    trace = AttentionTrace();
    allocate(problem, trace);
    plan_steps(problem, first_head);
}

AttentionWork::AttentionWork(const AttentionProblem& problem, AttentionTrace& trace, int first_head,
                             const AttentionProblem& earlier_problem, AttentionTrace&& earlier_trace) {
    check_shapes(problem);
    AttentionTrace next;
    reuse_ = ReusePlan(problem, earlier_problem, next, std::move(earlier_trace));
    earlier_trace = AttentionTrace();
    trace = std::move(next);
    allocate(problem, trace);
    plan_steps(problem, first_head);
}

// The tensors that were not taken over.
void AttentionWork::allocate(const AttentionProblem& problem, AttentionTrace& trace) const {
    const int T = problem.num_tokens();
    const int num_heads = problem.settings.num_heads;
    for (Cube* cube : {&trace.query, &trace.key, &trace.value, &trace.context}) {
        const bool is_shared = cube == &trace.key || cube == &trace.value;
        if (cube->size() == 0)
            *cube = unset<Cube>(is_shared ? problem.num_kv_heads() : num_heads, T, problem.head_dim());
    }
    if (problem.query_latent() != 0 && trace.query_latents.size() == 0)
        trace.query_latents = unset<Matrix>(T, problem.query_latent());
    if (problem.latent() != 0 && trace.latents.size() == 0) trace.latents = unset<Matrix>(T, problem.latent());
    if (changes_roles(problem)) reserve_changed(problem, trace);
    if (trace.weights.num_tokens() != T || trace.weights.num_heads() != num_heads) trace.weights.resize(num_heads, T);
    if (problem.has_sink() && trace.sink_weights.size() == 0) trace.sink_weights = unset<Cube>(num_heads, T, 1);
    const bool drops = has_stage(problem, TensorId::dropped_weights);
    if (drops && trace.keep.size() == 0) trace.keep = unset<FlagCube>(num_heads, T, T);
    if (trace.merged.size() == 0) trace.merged = unset<Matrix>(T, problem.d_out());
    const bool has_output = has_stage(problem, TensorId::output);
    if (has_output && trace.output.size() == 0) trace.output = unset<Matrix>(T, problem.d_out());
    trace.ready = Readiness();
    trace.ready.heads.assign(as_size(num_heads), 0);
}

void AttentionWork::plan_steps(const AttentionProblem& problem, int first_head) {
    const std::int64_t T = problem.num_tokens();
    const std::int64_t d_out = problem.d_out();
    const int num_heads = problem.settings.num_heads;
    ATTN_CHECK(first_head >= -1 && first_head < num_heads, "first_head is ", first_head, ", want -1 to ",
               num_heads - 1);
    const bool is_waited_for = kCanWait && first_head >= 0;  // -1: all are wanted, no matter which one comes first
    if (!is_waited_for) first_head = 0;

    const Projections& p = problem.projections;
    const bool has_matrices = p.w_query.size() != 0;
    const auto role_cost = [&](int role, std::int64_t first, std::int64_t end) {
        const int width = problem.role_width(role == 0 ? TensorId::queries : TensorId::keys);
        const std::int64_t num_inner = has_matrices ? length(role == 0 ? p.w_query : p.w_key, 0) : 1;  // of a number
        return count_in(reuse_.role_rows(role), first, end) * num_inner * width;
    };
    const std::array latents = {problem.query_latent(), problem.latent()};
    for (const int which : {0, 1}) {
        const std::int64_t width = latents[as_size(which)];
        if (width == 0) continue;
        add_steps(Kind::latent, which, T, [&](std::int64_t first, std::int64_t end) {
            return count_in(reuse_.latent_rows(which), first, end) * problem.d_in() * width;
        });
    }
    const std::array own_widths = {num_heads * problem.rope_dim(), problem.rope_dim()};
    for (const int which : {0, 1}) {
        const std::int64_t width = own_widths[as_size(which)];
        if (width == 0) continue;
        add_steps(Kind::position, which, T, [&](std::int64_t first, std::int64_t end) {
            const int num_inner = length(which == 0 ? p.w_query_rope : p.w_key_rope, 0);
            return count_in(reuse_.role_rows(which), first, end) * num_inner * width;
        });
    }
    const auto add_roles = [&](std::optional<int> head) {
        for (int role = 0; role < kRoles; ++role) {
            add_steps(Kind::role, head ? which_role(role, *head) : role, T, [&](std::int64_t first, std::int64_t end) {
                const int heads = role == 0 ? num_heads : problem.num_kv_heads();
                return role_cost(role, first, end) / (head ? heads : 1);
            });
        }
    };
    const DueRows due = reuse_.largest_due_rows(problem);
    const auto add_head = [&](int head) {
        add_steps(Kind::head, head, T, [&](std::int64_t first, std::int64_t end) {
            return head_cost(problem, reuse_.visible(), due, first, end);
        });
    };
    const bool drops = has_stage(problem, TensorId::dropped_weights);
    const bool comes_first = is_waited_for && !drops && num_heads >= kManyHeads && has_matrices &&
                             role_cost(0, 0, T) + role_cost(1, 0, T) + role_cost(2, 0, T) >= kManyMultiplyAdds;
    if (comes_first) {
        add_roles(first_head);
        add_head(first_head);
    }
    add_roles(std::nullopt);
    if (drops && !reuse_.keeps_mask()) {
        // The numbers of earlier sentences are drawn and thrown away first.
        const auto skip = static_cast<std::int64_t>(problem.settings.dropout_skip);
        add_steps(Kind::keep_mask, 0, skip + num_heads * T * T,
                  [](std::int64_t first, std::int64_t end) { return (end - first) * kDrawCost; });
    }
    for (int n = comes_first ? 1 : 0; n < num_heads; ++n) add_head(n == 0 ? first_head : n <= first_head ? n - 1 : n);
    const bool has_output = has_stage(problem, TensorId::output);
    add_steps(Kind::output, 0, T, [&](std::int64_t first, std::int64_t end) {
        return (has_output ? count_in(due.context, first, end) * d_out : end - first) * d_out;
    });
}

// Cuts `count` rows into steps; cost(first, end) are the multiply-adds of some of them.
template <class Cost>
void AttentionWork::add_steps(Kind kind, int which, std::int64_t count, const Cost& cost) {
    const std::int64_t in_all = cost(0, count);
    const std::int64_t num_steps = std::max<std::int64_t>(1, in_all / kStepMultiplyAdds);
    const std::int64_t rows = std::max(kMinRows, (count / num_steps + kMinRows - 1) / kMinRows * kMinRows);
    for (std::int64_t first = 0; first < count; first += rows) {
        const std::int64_t end = std::min(first + rows, count);
        steps_.push_back({kind, which, first, end, end == count, cost(first, end)});
    }
    in_all_ += in_all;
}

bool AttentionWork::advance(const AttentionProblem& problem, AttentionTrace& trace, std::int64_t multiply_adds) {
    std::int64_t spent = 0;
    while (!is_done()) {
        const Step& step = steps_[next_];
        spent += run(step, problem, trace);
        done_ += step.multiply_adds;
        if (step.is_last) finish(step, trace);
        ++next_;
        if (spent >= multiply_adds) break;
    }
    begin_part(WorkPart::other);
    if (is_done()) {  // what only the steps needed
        matrix_ = PackedMatrix();
        x_ = PackedRows();
        head_ = HeadAttention();
        plain_rows_ = FloatBuffer();
        packed_ = begun_head_ = -1;
        generator_.reset();
    }
    return is_done();
}

void AttentionWork::prefer_head(int head) {
    // The head under way stays first: its keys and values are packed.
    const auto at = [&](std::size_t n) { return steps_.begin() + static_cast<std::ptrdiff_t>(n); };
    const bool is_in_head = !is_done() && steps_[next_].kind == Kind::head && steps_[next_].first > 0;
    const int begun = is_in_head ? steps_[next_].which : -1;
    const auto is_left = [&](const Step& step) { return step.kind == Kind::head && step.which != begun; };
    const auto is_of_head = [&](const Step& step) { return step.kind == Kind::head && step.which == head; };
    const auto own =
        std::find_if(at(next_), steps_.end(), [&](const Step& step) { return is_of_head(step) && is_left(step); });
    auto first = own;  // of the heads that wait together with it
    while (first != at(next_) && is_left(*(first - 1))) --first;
    std::rotate(first, own, std::find_if_not(own, steps_.end(), is_of_head));
}

std::int64_t AttentionWork::run(const Step& step, const AttentionProblem& problem, AttentionTrace& trace) {
    switch (step.kind) {
        case Kind::latent:
            begin_part(WorkPart::projections);
            return kHasLatents ? project_latent(step, problem, trace) : 0;
        case Kind::position:
            begin_part(WorkPart::projections);
            return kHasLatents ? project_positions(step, problem, trace) : 0;
        case Kind::role:
            begin_part(WorkPart::projections);
            return project_role(step, problem, trace);
        case Kind::keep_mask:
            begin_part(WorkPart::softmax);
            return draw_mask(step, problem, trace);
        case Kind::head:
            return attend_rows(step, problem, trace);
        case Kind::output:
            begin_part(WorkPart::output);
            return project_output(step, problem, trace);
    }
    return 0;
}

void AttentionWork::finish(const Step& step, AttentionTrace& trace) {
    if (step.kind == Kind::role && step.which == kRoles - 1) trace.ready.roles = true;
    if (step.kind == Kind::output) trace.ready.output = true;
    if (step.kind != Kind::head) return;
    trace.ready.heads[as_size(step.which)] = 1;
    ++num_heads_done_;
}

std::int64_t AttentionWork::draw_mask(const Step& step, const AttentionProblem& problem, AttentionTrace& trace) {
    if (step.first == 0) generator_.emplace(problem.settings.dropout_seed);
    const auto skip = static_cast<std::int64_t>(problem.settings.dropout_skip);
    const std::int64_t num_skipped = std::max<std::int64_t>(0, std::min(step.end, skip) - step.first);
    const std::int64_t first = step.first + num_skipped - skip;
    if (step.end > skip) {
        fill_keep_mask(*generator_, elements(trace.keep).subspan(as_size(first), as_size(step.end - skip - first)),
                       problem.settings.dropout, static_cast<std::uint64_t>(num_skipped));
    } else {
        generator_->skip64(static_cast<std::uint64_t>(num_skipped));
    }
    return step.multiply_adds;
}

std::int64_t AttentionWork::attend_rows(const Step& step, const AttentionProblem& problem, AttentionTrace& trace) {
    const int h = step.which;
    const std::size_t first = as_size(step.first);
    const std::size_t end = as_size(step.end);
    if (first == 0) due_ = reuse_.due_rows(problem, h);
    const HeadProblem head = head_problem(problem, trace, h, reuse_.visible());
    const HeadResults results = {.weights = trace.weights.head(h),
                                 .weights_stride = trace.weights.row_stride(),
                                 .zeros_stand = reuse_.zeros_stand(h),
                                 .context = head_of(trace.context, h).data(),
                                 .sink_weights = problem.has_sink() ? head_of(trace.sink_weights, h).data() : nullptr};
    for (std::size_t i = first; i < end; ++i) {  // rows that stay, in a text that has grown
        if (due_.weights[i] != 0) continue;
        float* row = results.weights + i * results.weights_stride;
        std::fill(row + reuse_.first_new_token(), row + head.num_tokens, 0.0f);
    }
    RowFlags context_alone = due_.context;
    for (std::size_t i = first; i < end; ++i) context_alone[i] = due_.context[i] & ~due_.weights[i] & 1;
    if (begun_head_ != h && count_in(due_.context, step.first, step.end) != 0) {
        require_memory(head_.reserve(head.num_tokens, head.head_dim, head.score_dim()));
        head_.begin(head);
        begun_head_ = h;
    }
    for_each_run(due_.weights, first, end, end,
                 [&](std::size_t from, std::size_t to) { head_.make_rows(head, from, to, results); });
    for_each_run(context_alone, first, end, end,
                 [&](std::size_t from, std::size_t to) { head_.mix_rows(head, from, to, results); });
    rows_.weights += count_in(due_.weights, step.first, step.end);
    rows_.context += count_in(due_.context, step.first, step.end);
    return head_cost(problem, reuse_.visible(), due_, step.first, step.end);
}

// The heads side by side, and their projection. Rows whose heads all stayed the same stay.
std::int64_t AttentionWork::project_output(const Step& step, const AttentionProblem& problem, AttentionTrace& trace) {
    const Projections& p = problem.projections;
    const std::size_t dim = trace.context.shape(2);
    const std::size_t d_out = trace.merged.shape(1);
    RowFlags due(as_size(step.end), reuse_.keeps_output() ? 0 : 1);
    for (std::size_t i = as_size(step.first); i < due.size(); ++i) {
        const int row = static_cast<int>(i);
        if (row >= reuse_.first_new_token()) due[i] = 1;
        for (int h = 0; h < length(trace.context, 0); ++h) {
            const std::span<const float> from = row_of(std::as_const(trace.context), h, row);
            const std::span<float> to = row_of(trace.merged, row).subspan(as_size(h) * dim, dim);
            if (std::memcmp(from.data(), to.data(), to.size_bytes()) == 0) continue;
            due[i] = 1;
            std::copy_n(from.begin(), dim, to.begin());
        }
    }
    if (trace.output.size() == 0) return static_cast<std::int64_t>(d_out) * (step.end - step.first);

    std::int64_t num_rows = 0;
    for_each_run(due, as_size(step.first), as_size(step.end), PackedMatrix::kRowsAtOnce,
                 [&](std::size_t from, std::size_t to) {
                     if (packed_ != kOutProjection) {
                         require_memory(matrix_.pack(p.w_out.data(), d_out, d_out, d_out));
                         packed_ = kOutProjection;
                     }
                     require_memory(x_.reserve(PackedMatrix::kRowsAtOnce, d_out));
                     x_.pack(trace.merged.data() + from * d_out, to - from, d_out);
                     const float* rows = matrix_.project(x_, 0, to - from, data_or_null(p.b_out));
                     for (std::size_t i = from; i < to; ++i, rows += matrix_.row_stride()) {
                         std::copy_n(rows, d_out, trace.output.data() + i * d_out);
                     }
                     num_rows += static_cast<std::int64_t>(to - from);
                 });
    rows_.output += num_rows;
    return num_rows * static_cast<std::int64_t>(d_out * d_out);
}

}  // namespace attn
