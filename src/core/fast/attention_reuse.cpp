// Compares two problems row by row, and moves what stays from one trace to the next.
#include "core/fast/attention_reuse.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/fast/changed_rows.h"
#include "core/fast/head_attention.h"
#include "core/fast/same_tensor.h"

namespace attn {
namespace {

std::size_t as_size(int n) {
    return static_cast<std::size_t>(n);
}

// Matrix and bias of a role: 0 queries, 1 keys, 2 values.
const Matrix& weight_of(const Projections& p, int role) {
    return role == 0 ? p.w_query : role == 1 ? p.w_key : p.w_value;
}
const Vector& bias_of(const Projections& p, int role) {
    return role == 0 ? p.b_query : role == 1 ? p.b_key : p.b_value;
}

// What a role is projected from beside the embeddings: size 0 without a latent.
const Matrix& down_of(const Projections& p, int role) {
    return role == 0 ? p.w_down_query : p.w_down_kv;
}

// What makes the numbers of a role that are turned alone; size 0 without.
const Matrix& rope_of(const Projections& p, int role) {
    return role == 0 ? p.w_query_rope : p.w_key_rope;
}

std::vector<TypedNumber> typed_of(const AttentionProblem& problem, TensorId role) {
    std::vector<TypedNumber> typed;
    for (const TypedNumber& one : problem.typed_roles) {
        if (one.role == role) typed.push_back(one);
    }
    return typed;
}

bool same_typed(const std::vector<TypedNumber>& a, const std::vector<TypedNumber>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const TypedNumber& x, const TypedNumber& y) {
        return x.row == y.row && x.column == y.column && std::memcmp(&x.value, &y.value, sizeof x.value) == 0;
    });
}

// The weights of a role's norm; size 0 without.
const Vector& norm_of(const Projections& p, int role) {
    return role == 0 ? p.q_norm : p.k_norm;
}

// Whether queries and keys go the same way to the scores: normed or not, and turned alike.
bool turn_the_same(const AttentionProblem& one, const AttentionProblem& other) {
    const AttentionSettings &a = one.settings, &b = other.settings;
    return one.has_qk_norm() == other.has_qk_norm() && is_rotary(a) == is_rotary(b) &&
           (!is_rotary(a) || a.rotary == b.rotary);
}
bool change_scores_the_same(const AttentionSettings& a, const AttentionSettings& b) {
    const auto cap_of = [](const AttentionSettings& of) { return is_capped(of) ? of.score_cap : 0; };
    return cap_of(a) == cap_of(b) && is_alibi(a) == is_alibi(b) && (!is_alibi(a) || a.alibi == b.alibi);
}

bool sink_the_same(const AttentionProblem& a, const AttentionProblem& b) {
    return a.has_sink() == b.has_sink() &&
           (!a.has_sink() || same_tensor(a.projections->sink_logits, b.projections->sink_logits));
}

// Rows of what comes before the role, embeddings or latents, that are not what they were.
RowFlags changed_source_rows(const AttentionProblem& problem, const AttentionProblem& earlier, int role) {
    RowFlags rows(as_size(problem.num_tokens()), 1);
    const bool has_same_down =
        !kHasLatents || same_tensor(down_of(problem.projections, role), down_of(earlier.projections, role));
    if (!has_same_down || problem.d_in() != earlier.d_in()) return rows;
    for (int i = 0; i < std::min(problem.num_tokens(), earlier.num_tokens()); ++i) {
        rows[as_size(i)] = same_values(row_of(problem.embeddings, i), row_of(earlier.embeddings, i)) ? 0 : 1;
    }
    return rows;
}

// Rows of a role that are not what they were: another matrix, another source or other typed numbers.
RowFlags changed_role_rows(const AttentionProblem& problem, const AttentionProblem& earlier, int role) {
    const bool has_same_matrix =
        same_tensor(weight_of(problem.projections, role), weight_of(earlier.projections, role)) &&
        same_tensor(bias_of(problem.projections, role), bias_of(earlier.projections, role));
    const bool has_same_rope = !kHasLatents || role == 2 ||
                               same_tensor(rope_of(problem.projections, role), rope_of(earlier.projections, role));
    const bool has_same_norm =
        kForwardOnly || same_tensor(norm_of(problem.projections, role), norm_of(earlier.projections, role));
    const bool has_same_turns = role == 2 || (has_same_rope && has_same_norm && turn_the_same(problem, earlier));
    if (!has_same_matrix || !has_same_turns) return RowFlags(as_size(problem.num_tokens()), 1);
    RowFlags rows = changed_source_rows(problem, earlier, role);
    constexpr std::array kRoles = {TensorId::queries, TensorId::keys, TensorId::values};
    const std::vector<TypedNumber> typed = typed_of(problem, kRoles[as_size(role)]);
    const std::vector<TypedNumber> earlier_typed = typed_of(earlier, kRoles[as_size(role)]);
    if (same_typed(typed, earlier_typed)) return rows;
    for (const auto* list : {&typed, &earlier_typed}) {
        for (const TypedNumber& one : *list) {
            if (one.row < problem.num_tokens()) rows[as_size(one.row)] = 1;
        }
    }
    return rows;
}

// Whether row i sees the same keys in both masks, of different sizes perhaps.
bool sees_the_same(const Flags& hidden, const Flags& earlier, int i) {
    const std::span<const std::uint8_t> a = row_of(hidden, i);
    const std::span<const std::uint8_t> b = row_of(earlier, i);
    const std::size_t common = std::min(a.size(), b.size());
    const auto are_all_hidden = [](std::span<const std::uint8_t> flags) {
        return std::find(flags.begin(), flags.end(), 0) == flags.end();
    };
    return same_values(a.first(common), b.first(common)) && are_all_hidden(a.subspan(common)) &&
           are_all_hidden(b.subspan(common));
}

// The first rows of the same tensor, for another number of tokens.
void set_num_rows(Cube& cube, int num_tokens) {
    if (length(cube, 1) == num_tokens) return;
    Cube moved = zeros<Cube>(cube.shape(0), num_tokens, cube.shape(2));
    for (int h = 0; h < length(cube, 0); ++h) {
        const std::span<const float> from = head_of(std::as_const(cube), h);
        const std::span<float> to = head_of(moved, h);
        std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
    }
    cube = std::move(moved);
}
void set_num_rows(Matrix& matrix, int num_tokens) {
    if (length(matrix, 0) == num_tokens) return;
    Matrix moved = zeros<Matrix>(num_tokens, matrix.shape(1));
    std::copy_n(matrix.data(), std::min(matrix.size(), moved.size()), moved.data());
    matrix = std::move(moved);
}

bool any(std::span<const std::uint8_t> flags) {
    return std::find(flags.begin(), flags.end(), 1) != flags.end();
}

// The place of the first 1, or the length.
int first_of(std::span<const std::uint8_t> flags) {
    return static_cast<int>(std::find(flags.begin(), flags.end(), 1) - flags.begin());
}

}  // namespace

ReusePlan::ReusePlan(const AttentionProblem& problem) {
    const std::size_t T = as_size(problem.num_tokens());
    const std::size_t num_heads = as_size(problem.settings.num_heads);
    visible_.resize(T);
    for (std::size_t i = 0; i < T; ++i) visible_[i] = visible_in(problem.hidden.data() + i * T, T);
    latent_rows_.fill(RowFlags(T, 1));
    role_rows_.fill(RowFlags(T, 1));
    changed_.fill(RowFlags(num_heads * T, 0));
    mask_changed_.assign(T, 1);
    keeps_head_.assign(num_heads, 0);
}

ReusePlan::ReusePlan(const AttentionProblem& problem, const AttentionProblem& earlier, AttentionTrace& trace,
                     AttentionTrace&& earlier_trace)
    : ReusePlan(problem) {
    const AttentionSettings& settings = problem.settings;
    const int T = problem.num_tokens();
    const int earlier_T = earlier.num_tokens();
    trace.weights = std::move(earlier_trace.weights);  // at least their memory
    if (!earlier_trace.ready.roles || earlier.settings.num_heads != settings.num_heads ||
        earlier.num_kv_heads() != problem.num_kv_heads() || earlier.d_out() != problem.d_out()) {
        trace.weights.resize(settings.num_heads, T);
        return;
    }
    first_new_token_ = std::min(T, earlier_T);
    for (int role = 0; role < 3; ++role) role_rows_[as_size(role)] = changed_role_rows(problem, earlier, role);
    const std::array latents = {std::pair(&trace.query_latents, &earlier_trace.query_latents),
                                std::pair(&trace.latents, &earlier_trace.latents)};
    for (int which = 0; kHasLatents && which < 2; ++which) {
        const auto& [latent, earlier_latent] = latents[as_size(which)];
        if (!same_tensor(down_of(problem.projections, which), down_of(earlier.projections, which))) continue;
        latent_rows_[as_size(which)] = changed_source_rows(problem, earlier, which);
        *latent = std::move(*earlier_latent);
        if (latent->size() != 0) set_num_rows(*latent, T);
    }
    trace.query = std::move(earlier_trace.query);
    trace.key = std::move(earlier_trace.key);
    trace.value = std::move(earlier_trace.value);
    const bool has_same_turns = turn_the_same(problem, earlier);
    if (changes_roles(problem) && has_same_turns) {
        trace.changed_query = std::move(earlier_trace.changed_query);
        trace.changed_key = std::move(earlier_trace.changed_key);
        for (Cube* cube : {&trace.changed_query, &trace.changed_key}) set_num_rows(*cube, T);
        if (problem.rope_dim() != 0) {
            trace.position_query = std::move(earlier_trace.position_query);
            trace.position_key = std::move(earlier_trace.position_key);
            set_num_rows(trace.position_query, T);
            set_num_rows(trace.position_key, T);
        }
    }
    trace.context = std::move(earlier_trace.context);
    const bool has_same_sink = sink_the_same(problem, earlier);
    if (problem.has_sink() && has_same_sink) {
        trace.sink_weights = std::move(earlier_trace.sink_weights);
        set_num_rows(trace.sink_weights, T);
    }
    trace.merged = std::move(earlier_trace.merged);
    for (Cube* cube : {&trace.query, &trace.key, &trace.value, &trace.context}) set_num_rows(*cube, T);
    set_num_rows(trace.merged, T);
    keeps_output_ = earlier_trace.ready.output && earlier_trace.output.size() != 0 &&
                    same_tensor(problem.projections->w_out, earlier.projections->w_out) &&
                    same_tensor(problem.projections->b_out, earlier.projections->b_out);
    if (keeps_output_) {
        trace.output = std::move(earlier_trace.output);
        set_num_rows(trace.output, T);
    }
    if (trace.weights.set_num_tokens(T)) keeps_head_ = earlier_trace.ready.heads;

    // A mask after the softmax does not hide later keys from it: then every row depends on the number of tokens.
    const float divisor = score_divisor(settings, problem.head_dim());
    const float earlier_divisor = score_divisor(earlier.settings, earlier.head_dim());
    keeps_scale_ = std::memcmp(&divisor, &earlier_divisor, sizeof divisor) == 0 &&
                   settings.mask_at == earlier.settings.mask_at && has_same_turns &&
                   change_scores_the_same(settings, earlier.settings) && has_same_sink &&
                   (settings.mask_at == MaskAt::before || T == earlier_T);
    for (int i = 0; i < std::min(T, earlier_T); ++i) {
        mask_changed_[as_size(i)] = sees_the_same(problem.hidden, earlier.hidden, i) ? 0 : 1;
    }
    has_same_mask_ = T == earlier_T && !any(mask_changed_);
    // Heads are computed after the keep mask: where one is ready, it is whole.
    const bool has_same_draws = settings.dropout == earlier.settings.dropout && T == earlier_T &&
                                settings.dropout_seed == earlier.settings.dropout_seed &&
                                settings.dropout_skip == earlier.settings.dropout_skip;
    const bool drops = has_stage(problem, TensorId::dropped_weights);
    keeps_mask_ = drops && has_same_draws && any(earlier_trace.ready.heads);
    keeps_drops_ = drops ? keeps_mask_ : !has_stage(earlier, TensorId::dropped_weights);
    if (keeps_mask_) trace.keep = std::move(earlier_trace.keep);
}

void ReusePlan::set_role_changed(int role, int h, int i) {
    changed_[as_size(role)][as_size(h) * visible_.size() + as_size(i)] = 1;
}

DueRows ReusePlan::due_rows(const AttentionProblem& problem, int h) const {
    const std::size_t T = visible_.size();
    const auto rows = [&](std::size_t role) {
        const int own = role == 0 ? h : problem.kv_head(h);
        return std::span<const std::uint8_t>(changed_[role]).subspan(as_size(own) * T, T);
    };
    return due_rows(problem, keeps_head_[as_size(h)] != 0, rows(0), rows(1), rows(2));
}

DueRows ReusePlan::largest_due_rows(const AttentionProblem& problem) const {
    const bool keeps_all = std::find(keeps_head_.begin(), keeps_head_.end(), 0) == keeps_head_.end();
    return due_rows(problem, keeps_all, role_rows_[0], role_rows_[1], role_rows_[2]);
}

DueRows ReusePlan::due_rows(const AttentionProblem& problem, bool keeps_head, std::span<const std::uint8_t> queries,
                            std::span<const std::uint8_t> keys, std::span<const std::uint8_t> values) const {
    const std::size_t T = visible_.size();
    if (!keeps_head || !keeps_scale_) return {RowFlags(T, 1), RowFlags(T, 1)};
    DueRows due = {RowFlags(T, 0), RowFlags(T, keeps_drops_ ? 0 : 1)};
    // Whether query i sees one of these keys.
    const auto sees = [&](std::size_t i, std::span<const std::uint8_t> changed, int first) {
        if (visible_[i] != 0) return first < visible_[i];
        const std::span<const std::uint8_t> hidden = row_of(problem.hidden, static_cast<int>(i));
        for (std::size_t j = as_size(first); j < T; ++j) {
            if (changed[j] != 0 && hidden[j] == 0) return true;
        }
        return false;
    };
    const int first_key = first_of(keys);
    const int first_value = first_of(values);
    const bool needs_all_keys = problem.settings.mask_at != MaskAt::before;
    for (std::size_t i = 0; i < T; ++i) {
        const bool has_new_keys = needs_all_keys ? first_key < static_cast<int>(T) : sees(i, keys, first_key);
        due.weights[i] = mask_changed_[i] != 0 || queries[i] != 0 || has_new_keys ? 1 : 0;
        if (due.weights[i] != 0 || sees(i, values, first_value)) due.context[i] = 1;
    }
    return due;
}

std::int64_t head_cost(const AttentionProblem& problem, std::span<const int> visible, const DueRows& due,
                       std::int64_t first, std::int64_t end) {
    const std::int64_t T = problem.num_tokens();
    std::int64_t pairs = 0;
    for (std::int64_t i = first; i < end; ++i) {
        const std::int64_t seen = visible[static_cast<std::size_t>(i)] != 0 ? visible[static_cast<std::size_t>(i)] : T;
        if (due.context[static_cast<std::size_t>(i)] != 0) pairs += seen;
        if (due.weights[static_cast<std::size_t>(i)] != 0)
            pairs += problem.settings.mask_at == MaskAt::before ? seen : T;
    }
    return pairs * problem.head_dim();
}

}  // namespace attn
