// attend() in slices and with what an earlier problem left: always the bits of attend(), and no more work than the
// difference of the problems reaches.
#include "core/fast/attention_work.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "samples.h"

#include <catch_amalgamated.hpp>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/instruction_sets.h"
#include "core/problems.h"

namespace attn::test {
namespace {

constexpr ProblemShape kShape = {.num_tokens = 9, .d_in = 6, .head_dim = 3, .num_heads = 2};

std::uint32_t bits_of(float number) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    return number != number ? 0x7fc00000U : bits;  // NaN is NaN, whatever its sign and payload
}

// Every stage of both traces has the same bits.
void require_same(const AttentionProblem& problem, const AttentionTrace& a, const AttentionTrace& b) {
    for (const StageInfo& info : stage_table()) {
        if (!has_stage(problem, info.id)) continue;
        for (int h = 0; h < heads_of(problem, info.id); ++h) {
            const Matrix x = stage_matrix(problem, a, info.id, h);
            const Matrix y = stage_matrix(problem, b, info.id, h);
            REQUIRE(x.shape() == y.shape());
            for (std::size_t k = 0; k < x.size(); ++k) {
                if (bits_of(x.data()[k]) != bits_of(y.data()[k])) {
                    FAIL(info.name << " head " << h << " element " << k << ": " << x.data()[k] << ", " << y.data()[k]);
                }
            }
        }
    }
}

void finish(AttentionWork& work, const AttentionProblem& problem, AttentionTrace& trace, std::int64_t slice) {
    while (!work.advance(problem, trace, slice)) {
    }
}

// What is computed of `next` after `earlier`; the result is that of attend().
RowsComputed rows_after(const AttentionProblem& earlier, const AttentionProblem& next, std::int64_t slice = 1 << 30) {
    AttentionTrace earlier_trace = attend(earlier);
    AttentionTrace trace;
    AttentionWork work(next, trace, 0, earlier, std::move(earlier_trace));
    finish(work, next, trace, slice);
    require_same(next, trace, attend(next));
    CHECK(work.multiply_adds_done() == work.multiply_adds_in_all());
    return work.rows_computed();
}

void require_rows(const RowsComputed& rows, const RowsComputed& want) {
    CAPTURE(rows.queries, rows.keys, rows.values, rows.weights, rows.context, rows.output);
    CHECK(rows.queries == want.queries);
    CHECK(rows.keys == want.keys);
    CHECK(rows.values == want.values);
    CHECK(rows.weights == want.weights);
    CHECK(rows.context == want.context);
    CHECK(rows.output == want.output);
}

AttentionProblem problem_with(const std::function<void(AttentionProblem&)>& change) {
    AttentionProblem problem = random_problem(kShape, 31);
    change(problem);
    return problem;
}

// The problem with the first `num_tokens` of its tokens, causal; tokens it does not have are zeros.
AttentionProblem first_tokens(const AttentionProblem& problem, int num_tokens) {
    AttentionProblem first = problem;
    first.embeddings = zeros<Matrix>(num_tokens, problem.d_in());
    std::copy_n(problem.embeddings.data(), std::min(problem.embeddings.size(), first.embeddings.size()),
                first.embeddings.data());
    first.hidden = make_mask(Mask::causal, num_tokens);
    return first;
}

// Norms of queries and keys come, go, or get another weight.
void change_norms(AttentionProblem& problem, int how) {
    Projections& p = problem.projections.edit();
    if (how == 0 || !problem.has_qk_norm())
        draw_norms(problem, 7);
    else if (how == 1)
        p.k_norm(1) += 1;
    else
        p.q_norm = p.k_norm = Vector();
}

// One of the things a visitor can do to a problem.
void change_at_random(AttentionProblem& problem, TorchGenerator& generator) {
    const auto draw = [&](int n) { return static_cast<int>(generator.draw32() % static_cast<std::uint32_t>(n)); };
    const int T = problem.num_tokens();
    Projections& p = problem.projections.edit();
    switch (draw(p.w_down_kv.size() == 0 ? 16 : 18)) {
        case 0:
            p.w_query(draw(length(p.w_query, 0)), draw(problem.d_out())) += 1;
            break;
        case 1:
            p.w_key(draw(length(p.w_key, 0)), draw(problem.role_width(TensorId::keys))) += 1;
            break;
        case 2:
            p.w_value(draw(length(p.w_value, 0)), draw(problem.role_width(TensorId::keys))) += 1;
            break;
        case 3:
            p.b_key(draw(problem.role_width(TensorId::keys))) += 1;
            break;
        case 4:
            p.w_out(draw(problem.d_out()), draw(problem.d_out())) += 1;
            break;
        case 5:
            problem.embeddings(draw(T), draw(problem.d_in())) += 1;
            break;
        case 6: {
            const int i = draw(T);
            const int j = draw(T);
            if (i != j) problem.hidden(i, j) ^= 1;
            break;
        }
        case 7:
            problem.typed_roles.push_back({.role = draw(2) == 0 ? TensorId::keys : TensorId::values,
                                           .row = draw(T),
                                           .column = draw(problem.role_width(TensorId::keys)),
                                           .value = static_cast<float>(draw(5))});
            break;
        case 8:
            problem.typed_roles.clear();
            break;
        case 9:
            problem.settings.dropout = draw(3) * 0.25;
            problem.settings.dropout_skip = static_cast<std::uint64_t>(draw(300));
            break;
        case 10:
            problem.settings.mask_at = static_cast<MaskAt>(draw(3));
            break;
        case 14:
            if (problem.rope_dim() != 0) {  // its matrices would have nothing to turn
                p.w_key_rope(draw(problem.d_in()), draw(problem.rope_dim())) += 1;
                break;
            }
            problem.settings.rotary.is_on = draw(3) != 0;
            problem.settings.rotary.shift = draw(3);
            problem.settings.rotary.pairs = static_cast<RotaryPairs>(draw(2));
            break;
        case 15:
            if (draw(3) == 0 && problem.latent() == 0 && p.w_down_query.size() == 0)
                change_norms(problem, draw(3));
            else if (draw(2) == 0)
                problem.settings.alibi.is_on = !problem.settings.alibi.is_on;
            else
                problem.settings.score_cap = static_cast<float>(draw(3));
            break;
        case 11:
            problem.settings.temperature = static_cast<float>(1 + draw(2));
            break;
        case 12: {
            AttentionProblem other = first_tokens(problem, 1 + draw(40));
            for (int i = T; i < other.num_tokens(); ++i) {
                for (int c = 0; c < problem.d_in(); ++c) other.embeddings(i, c) = static_cast<float>(draw(9)) - 4;
            }
            other.typed_roles.clear();
            problem = other;
            break;
        }
        case 13:
            problem.embeddings(draw(T), draw(problem.d_in())) = std::numeric_limits<float>::infinity();
            break;
        case 16:
            p.w_down_kv(draw(problem.d_in()), draw(problem.latent())) += 1;
            if (problem.rope_dim() != 0) p.w_query_rope(draw(problem.query_latent()), draw(problem.rope_dim())) += 1;
            break;
        case 17:
            p.w_down_query(draw(problem.d_in()), draw(problem.query_latent())) += 1;
            break;
    }
}

}  // namespace

TEST_CASE("slices give the bits of attend(), in every instruction set", "[work][property]") {
    const auto [latent, rope_dim, has_qk_norm] =
        GENERATE(table<int, int, bool>({{0, 0, false}, {0, 0, true}, {4, 0, false}, {4, 6, false}}));
    AttentionProblem problem = random_problem({.num_tokens = 70,
                                               .d_in = 12,
                                               .head_dim = 5,
                                               .num_heads = 3,
                                               .num_kv_heads = GENERATE(0, 1),
                                               .latent = latent,
                                               .rope_dim = rope_dim,
                                               .has_qk_norm = has_qk_norm,
                                               .has_sink = GENERATE(false, true)},
                                              40);
    problem.settings.mask_at = problem.has_sink() ? MaskAt::before : GENERATE(MaskAt::before, MaskAt::after);
    problem.settings.dropout = GENERATE(0.0, 0.3);
    problem.settings.dropout_skip = 11;
    if (GENERATE(true, false)) problem.hidden = random_mask(70, 41);
    const AttentionTrace plain = with_set(simd::InstructionSet::plain, [&] { return attend(problem); });
    for (const simd::InstructionSet set : simd::available()) {
        for (const std::int64_t slice : {1, 1 << 12, 1 << 30}) {
            CAPTURE(std::string(simd::name_of(set)), slice);
            const AttentionTrace sliced = with_set(set, [&] {
                AttentionTrace trace;
                AttentionWork work(problem, trace, 2);
                finish(work, problem, trace, slice);
                return trace;
            });
            require_same(problem, sliced, plain);
        }
    }
}

TEST_CASE("the first head asked for is ready before the others", "[work]") {
    const AttentionProblem problem = random_problem({.num_tokens = 20, .d_in = 4, .head_dim = 2, .num_heads = 3}, 42);
    AttentionTrace trace;
    AttentionWork work(problem, trace, 1);
    while (work.num_heads_done() == 0) REQUIRE_FALSE(work.advance(problem, trace, 1));
    CHECK(is_ready(trace, TensorId::context, 1));
    CHECK_FALSE(is_ready(trace, TensorId::context, 0));
    CHECK_FALSE(is_ready(trace, TensorId::merged, 0));
    finish(work, problem, trace, 1);
    CHECK(work.num_heads_done() == 3);
    CHECK(is_ready(trace, TensorId::output, 0));
}

TEST_CASE("the head that is looked at now comes next, and what is begun goes on", "[work]") {
    // So large that a head takes two steps.
    const AttentionProblem problem =
        random_problem({.num_tokens = 450, .d_in = 4, .head_dim = 200, .num_heads = 5}, 43);
    AttentionTrace trace;
    AttentionWork work(problem, trace, 0);
    work.prefer_head(3);  // before any is begun
    while (work.num_heads_done() == 0) REQUIRE_FALSE(work.advance(problem, trace, 1));
    CHECK(is_ready(trace, TensorId::context, 3));
    REQUIRE_FALSE(work.advance(problem, trace, 1));  // the first rows of head 0
    work.prefer_head(4);
    work.prefer_head(2);
    work.prefer_head(3);  // is done: nothing changes
    for (const int head : {0, 2, 4, 1}) {
        const int num_done = work.num_heads_done();
        CAPTURE(head);
        while (work.num_heads_done() == num_done) {
            REQUIRE_FALSE(work.is_done());
            work.advance(problem, trace, 1);
        }
        CHECK(is_ready(trace, TensorId::context, head));
    }
    finish(work, problem, trace, 1);
    work.prefer_head(1);
    CHECK(work.is_done());
    if (!takes_all_samples()) return;
    AttentionTrace plain;
    AttentionWork in_order(problem, plain, 0);
    finish(in_order, problem, plain, 1);
    require_same(problem, trace, plain);
}

TEST_CASE("where projections take long, a head that is waited for takes its own part of them alone",
          "[work][property]") {
    // 568 million multiply-adds; the heads' columns do not fill whole panels.
    AttentionProblem problem = random_problem({.num_tokens = 200, .d_in = 1024, .head_dim = 231, .num_heads = 4}, 5);
    problem.typed_roles = {{.role = TensorId::queries, .row = 3, .column = 2 * 231, .value = 7},
                           {.role = TensorId::keys, .row = 4, .column = 3 * 231, .value = 8}};
    const AttentionTrace want = attend(problem);
    AttentionTrace trace;
    AttentionWork work(problem, trace, 2);
    while (work.num_heads_done() == 0) work.advance(problem, trace, 1);
    CHECK_FALSE(trace.ready.roles);
    for (const TensorId stage : {TensorId::queries, TensorId::keys, TensorId::values, TensorId::scores,
                                 TensorId::weights, TensorId::context}) {
        CAPTURE(tensor_name(stage));
        REQUIRE(is_ready(trace, stage, 2));
        CHECK_FALSE(is_ready(trace, stage, 3));
        CHECK(stage_matrix(problem, trace, stage, 2) == stage_matrix(problem, want, stage, 2));
    }
    work.prefer_head(1);
    while (work.num_heads_done() == 1) work.advance(problem, trace, 1);
    CHECK(trace.ready.heads[1] != 0);
    finish(work, problem, trace, 1 << 24);
    require_same(problem, trace, want);
    CHECK(work.multiply_adds_done() == work.multiply_adds_in_all());

    if (!takes_all_samples()) return;
    AttentionProblem next = problem;
    for (int i = 100; i < 200; ++i) next.embeddings(i, 0) += 1;
    next.projections.edit().w_key(0, 300) += 1;  // of head 1: all keys are due
    next.projections.edit().w_query(0, 300) += 1;
    next.projections.edit().w_value(0, 300) += 1;
    CHECK(rows_after(problem, next, 1 << 26).queries == 200);
}

TEST_CASE("nothing changed, nothing computed", "[work]") {
    const AttentionProblem problem = random_problem(kShape, 31);
    require_rows(rows_after(problem, problem), {});
}

TEST_CASE("only what a change reaches is computed again", "[work][property]") {
    const AttentionProblem before = random_problem(kShape, 31);
    const auto rows_of_change = [&](const std::function<void(AttentionProblem&)>& change) {
        return rows_after(before, problem_with(change));
    };
    // 9 tokens, 2 heads of 3 channels: column 4 is head 1's.
    require_rows(rows_of_change([](auto& p) { p.projections.edit().w_value(0, 4) += 1; }),
                 {.values = 9, .context = 9, .output = 9});
    require_rows(rows_of_change([](auto& p) { p.projections.edit().w_query(0, 4) += 1; }),
                 {.queries = 9, .weights = 9, .context = 9, .output = 8});  // token 0 sees itself alone, as before
    require_rows(rows_of_change([](auto& p) { p.projections.edit().w_out(0, 0) += 1; }), {.output = 9});
    require_rows(rows_of_change([](auto& p) { p.embeddings(7, 0) += 1; }),
                 {.queries = 1, .keys = 1, .values = 1, .weights = 4, .context = 4, .output = 2});
    require_rows(rows_of_change([](auto& p) { p.hidden(5, 2) = 1; }), {.weights = 2, .context = 2, .output = 1});
    require_rows(rows_of_change([](auto& p) { p.settings.temperature = 2; }),
                 {.weights = 18, .context = 18, .output = 8});
    require_rows(rows_of_change([](auto& p) { p.settings.dropout = 0.5; }), {.context = 18, .output = 9});
    require_rows(
        rows_of_change([](auto& p) { p.typed_roles = {{.role = TensorId::keys, .row = 8, .column = 0, .value = 3}}; }),
        {.keys = 1, .weights = 1, .context = 1, .output = 1});
}

TEST_CASE("a word appended or taken away leaves the earlier rows alone", "[work][property]") {
    const int num_tokens = GENERATE(2, 9, 33, 64, 65);  // around the room that rows have
    const AttentionProblem longer =
        random_problem({.num_tokens = num_tokens, .d_in = 6, .head_dim = 3, .num_heads = 2}, 43);
    const AttentionProblem shorter = first_tokens(longer, num_tokens - 1);
    require_rows(rows_after(shorter, longer),
                 {.queries = 1, .keys = 1, .values = 1, .weights = 2, .context = 2, .output = 1});
    require_rows(rows_after(longer, shorter), {});
}

TEST_CASE("an interrupted computation leaves only what it finished", "[work][property]") {
    const AttentionProblem first = random_problem({.num_tokens = 40, .d_in = 6, .head_dim = 3, .num_heads = 3}, 44);
    AttentionProblem second = first;
    second.projections.edit().w_query(0, 0) += 1;
    AttentionProblem third = second;
    third.projections.edit().w_value(1, 1) += 1;
    const AttentionTrace wanted = attend(third);
    for (int num_slices = 0; num_slices < 30; ++num_slices) {
        AttentionTrace trace = attend(first);
        AttentionTrace next;
        AttentionWork interrupted(second, next, 2, first, std::move(trace));
        for (int k = 0; k < num_slices; ++k) interrupted.advance(second, next, 1);
        AttentionTrace last;
        AttentionWork work(third, last, 0, second, std::move(next));
        finish(work, third, last, 1);
        require_same(third, last, wanted);
    }
}

TEST_CASE("after any changes the result is that of attend(), bit for bit", "[work][property]") {
    const std::uint64_t seed = GENERATE(range(1, 13));
    TorchGenerator generator(seed);
    const int num_kv_heads = static_cast<int>(seed) % 3;  // 0: as many
    const int latent = seed > 8 ? 3 : 0;
    AttentionProblem problem = random_problem({.num_tokens = 12,
                                               .d_in = 5,
                                               .head_dim = 2,
                                               .num_heads = 4,
                                               .num_kv_heads = num_kv_heads,
                                               .query_latent = latent,
                                               .latent = latent,
                                               .rope_dim = seed > 10 ? 4 : 0},
                                              seed);
    AttentionTrace trace;
    AttentionWork work(problem, trace, 0);
    for (int round = 0; round < 60; ++round) {
        for (int k = 0; k < 1 + round % 7; ++k) work.advance(problem, trace, 1);  // often not finished
        if (round % 3 == 0) finish(work, problem, trace, 1 << 20);
        AttentionProblem next = problem;
        for (int k = 0; k <= round % 3; ++k) change_at_random(next, generator);
        AttentionTrace next_trace;
        work = AttentionWork(next, next_trace, 0, problem, std::move(trace));
        problem = std::move(next);
        trace = std::move(next_trace);
        if (round % 2 == 0) {
            CAPTURE(seed, round);
            finish(work, problem, trace, 1 << 20);
            require_same(problem, trace, attend(problem));
        }
    }
}

}  // namespace attn::test
