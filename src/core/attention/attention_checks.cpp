// Compares the shape of each tensor with the one that the problem asks for.
#include "core/attention/attention_checks.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/ground/check.h"

namespace attn {
namespace {

void check_matrix(const char* name, const Matrix& matrix, int rows, int columns) {
    ATTN_CHECK(length(matrix, 0) == rows && length(matrix, 1) == columns, name, " is (", length(matrix, 0), ", ",
               length(matrix, 1), "), want (", rows, ", ", columns, ")");
}

void check_bias(const char* name, const Vector& bias, int d_out) {
    ATTN_CHECK(bias.size() == 0 || length(bias, 0) == d_out, name, " is (", length(bias, 0), "), want (", d_out,
               ") or none");
}

// Apart, as what a first visit does not need (tools/split.mjs).
[[gnu::noinline]] void check_norms(const AttentionProblem& problem) {
    const Projections& p = problem.projections;
    const int head_dim = problem.head_dim();
    ATTN_CHECK(problem.latent() == 0 && problem.query_latent() == 0, "queries and keys of latents are not normed");
    ATTN_CHECK(length(p.q_norm, 0) == head_dim && length(p.k_norm, 0) == head_dim, "q_norm is (", length(p.q_norm, 0),
               "), k_norm (", length(p.k_norm, 0), "), want (", head_dim, ") each");
}

}  // namespace

void check_shapes(const AttentionProblem& problem) {
    const Projections& p = problem.projections;
    const int T = problem.num_tokens();
    const int d_in = problem.d_in();
    const int d_out = problem.d_out();
    const AttentionSettings& settings = problem.settings;
    ATTN_CHECK(settings.num_heads >= 1 && d_out % settings.num_heads == 0, settings.num_heads, " heads do not divide ",
               d_out, " channels");
    ATTN_CHECK(problem.num_kv_heads() >= 1 && settings.num_heads % problem.num_kv_heads() == 0, problem.num_kv_heads(),
               " key heads do not divide ", settings.num_heads, " heads");
    const int kv_width = problem.role_width(TensorId::keys);
    ATTN_CHECK(T >= 1 && d_in >= 1, "embeddings is (", T, ", ", d_in, "), want at least (1, 1)");
    if (p.w_query.size() == 0) {
        ATTN_CHECK(p.w_key.size() == 0 && p.w_value.size() == 0 && p.b_query.size() == 0 && p.b_key.size() == 0 &&
                       p.b_value.size() == 0 && p.w_down_query.size() == 0 && p.w_down_kv.size() == 0,
                   "w_query is absent, but another input projection is not");
        ATTN_CHECK(kv_width == d_out, problem.num_kv_heads(), " key heads without matrices, want ", settings.num_heads);
    } else {
        const int query_rows = problem.query_latent() == 0 ? d_in : problem.query_latent();
        const int kv_rows = problem.latent() == 0 ? d_in : problem.latent();
        if (problem.query_latent() != 0) check_matrix("w_down_query", p.w_down_query, d_in, query_rows);
        if (problem.latent() != 0) check_matrix("w_down_kv", p.w_down_kv, d_in, kv_rows);
        check_matrix("w_query", p.w_query, query_rows, d_out);
        check_matrix("w_key", p.w_key, kv_rows, kv_width);
        check_matrix("w_value", p.w_value, kv_rows, kv_width);
        check_bias("b_query", p.b_query, d_out);
        check_bias("b_key", p.b_key, kv_width);
        check_bias("b_value", p.b_value, kv_width);
    }
    const int rope_dim = problem.rope_dim();
    if (rope_dim != 0) {
        const int query_rows = problem.query_latent() == 0 ? d_in : problem.query_latent();
        ATTN_CHECK(problem.latent() != 0 && rope_dim % 2 == 0 && rope_dim > 0, rope_dim,
                   " numbers are turned alone, want an even count, and a latent");
        check_matrix("w_query_rope", p.w_query_rope, query_rows, settings.num_heads * rope_dim);
        check_matrix("w_key_rope", p.w_key_rope, d_in, rope_dim);
    } else {
        ATTN_CHECK(p.w_query_rope.size() == 0 && p.w_key_rope.size() == 0, "w_query_rope or w_key_rope, and no turns");
    }
    if (p.w_out.size() != 0) check_matrix("w_out", p.w_out, d_out, d_out);
    ATTN_CHECK(p.w_out.size() != 0 || p.b_out.size() == 0, "b_out without w_out");
    check_bias("b_out", p.b_out, d_out);
    if (!kForwardOnly && p.q_norm.size() + p.k_norm.size() != 0) check_norms(problem);
    if (kHasSinks && p.sink_logits.size() != 0) {
        ATTN_CHECK(length(p.sink_logits, 0) == settings.num_heads, length(p.sink_logits, 0), " sink logits, want ",
                   settings.num_heads, " or none");
        for (const float logit : p.sink_logits)
            ATTN_CHECK(std::isfinite(logit), "a sink logit is ", logit, ", want a number");
    }
    for (const TypedNumber& typed : problem.typed_roles) {
        ATTN_CHECK(typed.role == TensorId::queries || typed.role == TensorId::keys || typed.role == TensorId::values,
                   tensor_name(typed.role), " are not queries, keys or values");
        const int width = problem.role_width(typed.role);
        ATTN_CHECK(typed.row >= 0 && typed.row < T && typed.column >= 0 && typed.column < width, "typed ",
                   tensor_name(typed.role), "[", typed.row, ",", typed.column, "], want below (", T, ", ", width, ")");
    }
    if (is_rotary(settings)) {
        const RotarySettings& rotary = settings.rotary;
        ATTN_CHECK(rope_dim != 0 || problem.head_dim() % 2 == 0, "a head of ", problem.head_dim(),
                   " numbers has no pairs to turn");
        ATTN_CHECK(rotary.base >= 1 && std::isfinite(rotary.base), "the base is ", rotary.base, ", want 1 or more");
        ATTN_CHECK(rotary.shift >= -kMaxRotaryPosition && rotary.shift <= kMaxRotaryPosition - T, "the shift is ",
                   rotary.shift, ", want positions up to ", kMaxRotaryPosition);
    }
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

}  // namespace attn
