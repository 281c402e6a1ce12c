// The engine's entry on plain arrays: the bits of attend(), for every size around the lanes, in every instruction set.
#include "core/fast/dense_attention.h"
#include "core/fast/attend.h"

#include <catch_amalgamated.hpp>
#include <limits>
#include <string>
#include <vector>

#include "core/failed_check.h"
#include "core/instruction_sets.h"
#include "core/problems.h"

namespace attn::test {
namespace {

const float* data_or_null(const Vector& vector) {
    return vector.size() == 0 ? nullptr : vector.data();
}
const float* data_or_null(const Matrix& matrix) {
    return matrix.size() == 0 ? nullptr : matrix.data();
}

DenseProblem dense(const AttentionProblem& problem, const AttentionTrace& trace) {
    const Projections& p = problem.projections;
    return {.num_tokens = problem.num_tokens(),
            .d_in = problem.d_in(),
            .d_out = problem.d_out(),
            .num_heads = problem.settings.num_heads,
            .num_kv_heads = problem.settings.num_kv_heads,
            .x = problem.embeddings.data(),
            .w_query = data_or_null(p.w_query),
            .w_key = data_or_null(p.w_key),
            .w_value = data_or_null(p.w_value),
            .b_query = data_or_null(p.b_query),
            .b_key = data_or_null(p.b_key),
            .b_value = data_or_null(p.b_value),
            .w_out = data_or_null(p.w_out),
            .b_out = data_or_null(p.b_out),
            .hidden = problem.hidden.data(),
            .mask_at = problem.settings.mask_at,
            .divisor = score_divisor(problem.settings, problem.head_dim()),
            .keep = trace.keep.size() == 0 ? nullptr : trace.keep.data(),
            .keep_scale = keep_scale(problem.settings.dropout)};
}

void require_same_bits(const char* name, const float* a, const float* b, std::size_t count) {
    REQUIRE(a != nullptr);
    for (std::size_t k = 0; k < count; ++k) {
        const bool both_nan = a[k] != a[k] && b[k] != b[k];
        if (!both_nan && !same_bits(a[k], b[k])) FAIL(name << " element " << k << ": " << a[k] << ", want " << b[k]);
    }
}

// All results of run() are those of attend().
void require_same(const AttentionProblem& problem, const AttentionTrace& trace, const DenseProblem& call,
                  DenseAttention& attention, bool wants_weights) {
    REQUIRE(attention.run(call, wants_weights));
    const DenseResult& result = attention.result();
    require_same_bits("query", result.query, trace.query.data(), trace.query.size());
    require_same_bits("key", result.key, trace.key.data(), trace.key.size());
    require_same_bits("value", result.value, trace.value.data(), trace.value.size());
    require_same_bits("context", result.context, trace.context.data(), trace.context.size());
    require_same_bits("merged", result.merged, trace.merged.data(), trace.merged.size());
    if (call.w_out != nullptr) {
        require_same_bits("output", result.output, trace.output.data(), trace.output.size());
    } else {
        CHECK(result.output == nullptr);
    }
    if (!wants_weights) {
        CHECK(result.weights == nullptr);
        return;
    }
    const std::size_t T = static_cast<std::size_t>(problem.num_tokens());
    for (int h = 0; h < problem.settings.num_heads; ++h) {
        for (int i = 0; i < problem.num_tokens(); ++i) {
            const std::size_t row = static_cast<std::size_t>(h * problem.num_tokens() + i);
            require_same_bits("weights", result.weights + row * T, row_of(trace.weights, h, i).data(), T);
        }
    }
}

}  // namespace

TEST_CASE("the dense entry gives the bits of attend(), for every size and instruction set", "[dense][reference]") {
    DenseAttention attention;  // one for all: what an earlier size left must not be felt
    for (const auto& [num_tokens, head_dim] : std::vector<std::pair<int, int>>{
             {1, 1}, {2, 3}, {17, 4}, {33, 5}, {15, 8}, {70, 16}, {31, 17}, {64, 33}, {129, 7}, {33, 80}, {300, 2}}) {
        const AttentionProblem problem = random_problem(
            {.num_tokens = num_tokens, .d_in = 9, .head_dim = head_dim, .num_heads = 2, .num_kv_heads = num_tokens % 2},
            51);
        const AttentionTrace trace = with_set(simd::InstructionSet::plain, [&] { return attend(problem); });
        DenseProblem by_flags = dense(problem, trace);
        DenseProblem by_rule = by_flags;
        by_rule.hidden = nullptr;
        for (const simd::InstructionSet set : simd::available()) {
            CAPTURE(num_tokens, head_dim, std::string(simd::name_of(set)));
            with_set(set, [&] {
                for (const bool wants_weights : {true, false, true}) {  // the third finds its zeros in their place
                    require_same(problem, trace, by_rule, attention, wants_weights);
                    require_same(problem, trace, by_flags, attention, wants_weights);
                }
                return 0;
            });
        }
    }
}

TEST_CASE("the dense entry gives the bits of attend() for every setting", "[dense][reference]") {
    const Init init = GENERATE(Init::torch_linear, Init::none);
    const MaskAt mask_at = GENERATE(MaskAt::before, MaskAt::after, MaskAt::after_raw);
    const double dropout = GENERATE(0.0, 0.4);
    const int mask = GENERATE(0, 1, 2);
    const bool is_spoiled = GENERATE(false, true);
    AttentionProblem problem = random_problem({.num_tokens = 37, .d_in = 10, .head_dim = 5, .num_heads = 2}, 52, init);
    problem.settings.mask_at = mask_at;
    problem.settings.dropout = dropout;
    problem.settings.temperature = 3;
    if (mask != 0) problem.hidden = mask == 1 ? make_mask(Mask::none, 37) : random_mask(37, 53);
    if (is_spoiled) problem.embeddings(20, 3) = std::numeric_limits<float>::infinity();
    const AttentionTrace trace = attend(problem);
    DenseAttention attention;
    CAPTURE(static_cast<int>(init), static_cast<int>(mask_at), dropout, mask, is_spoiled);
    for (const bool wants_weights : {true, false}) {
        require_same(problem, trace, dense(problem, trace), attention, wants_weights);
    }
}

TEST_CASE("matrices that are kept give the same bits, whatever was called in between", "[dense][reference]") {
    const auto problem_of = [](int num_tokens, int head_dim, std::uint64_t seed) {
        return random_problem({.num_tokens = num_tokens, .d_in = 300, .head_dim = head_dim, .num_heads = 3}, seed);
    };
    DenseAttention attention;
    int name = 0;
    for (const int head_dim : {5, 64, 80}) {  // one part of a matrix and several, whole panels and not
        const AttentionProblem first = problem_of(19, head_dim, 61);
        AttentionProblem longer = problem_of(70, head_dim, 62);  // of the same layer
        longer.projections = first.projections;
        const AttentionProblem other = problem_of(19, head_dim, 63);
        const int kept = ++name;
        const int kept_other = ++name;
        for (const auto& [problem, matrices] :
             std::vector<std::pair<const AttentionProblem*, int>>{{&first, kept},
                                                                  {&first, kept},
                                                                  {&longer, kept},
                                                                  {&other, 0},
                                                                  {&first, kept},
                                                                  {&other, kept_other},
                                                                  {&first, kept},
                                                                  {&other, kept_other}}) {
            const AttentionTrace trace = attend(*problem);
            DenseProblem call = dense(*problem, trace);
            call.matrices = matrices;
            CAPTURE(head_dim, matrices, call.num_tokens);
            require_same(*problem, trace, call, attention, true);
        }
    }
}

TEST_CASE("matrices that are kept serve a text so long that they would be cut in fewer parts", "[dense][reference]") {
    const auto problem_of = [](int num_tokens) {
        return random_problem({.num_tokens = num_tokens, .d_in = 1000, .head_dim = 8, .num_heads = 10}, 65);
    };
    DenseAttention attention;
    for (const int num_tokens : {19, 600, 19}) {
        AttentionProblem problem = problem_of(num_tokens);
        problem.projections = problem_of(1).projections;
        const AttentionTrace trace = attend(problem);
        DenseProblem call = dense(problem, trace);
        call.matrices = 1;
        CAPTURE(num_tokens);
        require_same(problem, trace, call, attention, false);
    }
}

TEST_CASE("matrices that are kept are not read again", "[dense]") {
    AttentionProblem problem = random_problem({.num_tokens = 6, .d_in = 8, .head_dim = 4, .num_heads = 2}, 64);
    const AttentionTrace trace = attend(problem);
    DenseProblem call = dense(problem, trace);
    call.matrices = 1;
    DenseAttention attention;
    require_same(problem, trace, call, attention, true);
    problem.projections.edit().w_key.fill(0);
    require_same(problem, trace, call, attention, true);
}

TEST_CASE("calls of the same size find their results at the same addresses", "[dense]") {
    const AttentionProblem large = random_problem({.num_tokens = 40, .d_in = 6, .head_dim = 3, .num_heads = 2}, 54);
    const AttentionProblem small = random_problem({.num_tokens = 7, .d_in = 6, .head_dim = 3, .num_heads = 2}, 55);
    DenseAttention attention;
    REQUIRE(attention.run(dense(large, {}), true));
    const DenseResult first = attention.result();
    REQUIRE(attention.run(dense(small, {}), true));
    REQUIRE(attention.run(dense(large, {}), true));
    CHECK(attention.result().weights == first.weights);
    CHECK(attention.result().output == first.output);
}

TEST_CASE("memory that is refused leaves the entry usable", "[dense][bad-input]") {
    const AttentionProblem problem = random_problem({.num_tokens = 4}, 56);
    DenseProblem call = dense(problem, {});
    DenseProblem too_large = call;
    too_large.num_tokens = 1 << 30;  // 2^63 bytes of weights: no machine has them
    too_large.hidden = nullptr;
    DenseAttention attention;
    CHECK_FALSE(attention.run(too_large, true));
    CHECK(attention.result().context == nullptr);
    require_same(problem, attend(problem), call, attention, true);
    const DenseProblem s6 = {.num_tokens = 2048, .d_in = 768, .d_out = 768, .num_heads = 12};
    CHECK(DenseAttention::bytes_needed(s6, true) > 201326592U);
    CHECK(DenseAttention::bytes_needed(s6, false) < 100000000U);
}

TEST_CASE("arrays that do not fit together are refused", "[dense][bad-input]") {
    using Catch::Matchers::ContainsSubstring;
    const AttentionProblem problem = random_problem({.num_tokens = 4, .d_in = 6, .head_dim = 3, .num_heads = 2}, 57);
    const auto message_after = [&](auto change) {
        DenseProblem call = dense(problem, {});
        change(call);
        DenseAttention attention;
        return failed_check([&] { (void)attention.run(call, true); });
    };
    CHECK(message_after([](auto&) {}).empty());
    CHECK_THAT(message_after([](auto& p) { p.num_tokens = 0; }), ContainsSubstring("sizes are 0, 6, 6"));
    CHECK_THAT(message_after([](auto& p) { p.num_heads = 4; }), ContainsSubstring("4 heads do not divide 6"));
    CHECK_THAT(message_after([](auto& p) { p.divisor = 0; }), ContainsSubstring("divisor is 0"));
    CHECK_THAT(message_after([](auto& p) { p.w_key = nullptr; }), ContainsSubstring("or none"));
}

}  // namespace attn::test
