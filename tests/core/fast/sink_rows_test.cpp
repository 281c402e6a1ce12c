// Rows with a sink, fast: the twin's numbers at every size, one order of additions, and what is taken over.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "core/fast/attention_work.h"
#include "core/instruction_sets.h"
#include "core/operations/values.h"
#include "core/problems.h"

namespace attn::test {
namespace {

AttentionProblem sink_rows_problem(int num_tokens, int head_dim, std::uint64_t seed) {
    return random_problem({.num_tokens = num_tokens, .d_in = 8, .head_dim = head_dim, .num_heads = 2, .has_sink = true},
                          seed);
}

// The first stage and cell with other bits, or "".
std::string difference_of(const AttentionProblem& problem, const AttentionTrace& a, const AttentionTrace& b) {
    for (const StageInfo& info : stage_table()) {
        if (!has_stage(problem, info.id)) continue;
        for (int h = 0; h < heads_of(problem, info.id); ++h) {
            const Matrix x = stage_matrix(problem, a, info.id, h);
            const Matrix y = stage_matrix(problem, b, info.id, h);
            for (std::size_t k = 0; k < x.size(); ++k) {
                const bool are_no_numbers = std::isnan(x.data()[k]) && std::isnan(y.data()[k]);
                if (!are_no_numbers && !same_bits(x.data()[k], y.data()[k])) return std::string(info.name);
            }
        }
    }
    return "";
}

}  // namespace

TEST_CASE("rows with a sink are the twin's for every T from 1 to 40", "[sink][reference]") {
    for (int num_tokens = 1; num_tokens <= 40; ++num_tokens) {
        for (const int head_dim : {1, 4, 17}) {
            AttentionProblem problem = sink_rows_problem(num_tokens, head_dim, static_cast<std::uint64_t>(num_tokens));
            problem.settings.alibi.is_on = head_dim == 4;
            problem.settings.score_cap = num_tokens % 2 == 0 ? 0.9F : 0;
            problem.settings.dropout = head_dim == 17 ? 0.3 : 0;
            if (num_tokens % 3 == 0) problem.hidden = random_mask(num_tokens, 5);
            const AttentionTrace fast = attend(problem);
            const LayerValues plain = layer_values(problem);
            for (int h = 0; h < 2; ++h) {
                for (const TensorId stage : {TensorId::weights, TensorId::sink_weights, TensorId::context}) {
                    CAPTURE(num_tokens, head_dim, h, tensor_name(stage));
                    const Matrix a = stage_matrix(problem, fast, stage, h);
                    const MatrixD b = plain.matrix(stage, h);
                    for (std::size_t k = 0; k < a.size(); ++k)
                        REQUIRE(std::abs(static_cast<double>(a.data()[k]) - b.data()[k]) <= 2e-6);  // some 17 roundings
                }
            }
        }
    }
}

TEST_CASE("rows with a sink have the same bits in every instruction set", "[sink][property]") {
    AttentionProblem problem = sink_rows_problem(70, 5, 3);
    problem.settings.alibi.is_on = GENERATE(true, false);
    if (GENERATE(true, false)) problem.hidden = random_mask(70, 41);
    const AttentionTrace plain = with_set(simd::InstructionSet::plain, [&] { return attend(problem); });
    for (const simd::InstructionSet set : simd::available()) {
        CAPTURE(std::string(simd::name_of(set)));
        CHECK(difference_of(problem, with_set(set, [&] { return attend(problem); }), plain) == "");
    }
}

TEST_CASE("the weights made for the screen before a head is there are those of attend()", "[sink][property]") {
    const AttentionProblem problem = sink_rows_problem(70, 5, 4);
    const AttentionTrace done = attend(problem);
    AttentionTrace trace;
    AttentionWork work(problem, trace, 0);
    while (work.num_heads_done() == 0) work.advance(problem, trace, 1);
    CHECK(is_ready(trace, TensorId::weights, 1));
    CHECK_FALSE(is_ready(trace, TensorId::sink_weights, 1));
    CHECK(stage_matrix(problem, trace, TensorId::weights, 1) == stage_matrix(problem, done, TensorId::weights, 1));
}

TEST_CASE("what stays of a layer with a sink is taken over with the bits of a new computation", "[sink][property]") {
    const AttentionProblem before = sink_rows_problem(20, 4, 6);
    AttentionProblem after = before;
    const int change = GENERATE(0, 1, 2, 3, 4, 5);
    CAPTURE(change);
    if (change == 0) after.projections.edit().sink_logits(1) += 0.5F;
    if (change == 1) after.projections.edit().sink_logits = Vector();
    if (change == 2) after.embeddings(17, 2) += 1;
    if (change == 3) after.projections.edit().w_value(1, 1) += 1;
    if (change == 4) after.settings.mask_at = MaskAt::after;
    if (change == 5) {  // a longer text
        after = sink_rows_problem(23, 4, 6);
        std::copy(before.embeddings.begin(), before.embeddings.end(), after.embeddings.begin());
    }
    for (const bool is_back : {false, true}) {
        const AttentionProblem& from = is_back ? after : before;
        const AttentionProblem& to = is_back ? before : after;
        AttentionTrace trace;
        AttentionWork work(to, trace, 0, from, attend(from));
        while (!work.advance(to, trace, 1 << 20)) {
        }
        CHECK(difference_of(to, trace, attend(to)) == "");
        if (change == 3) CHECK(work.rows_computed().weights == 0);
        if (change == 0) CHECK(work.rows_computed().weights == 2 * 20);
    }
}

TEST_CASE("a score that is no number, or infinite, makes its whole row none", "[sink][bad-input]") {
    AttentionProblem problem = sink_rows_problem(6, 4, 8);
    problem.typed_roles = {
        {.role = TensorId::queries,
         .row = 3,
         .column = 0,
         .value = GENERATE(std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN())}};
    const AttentionTrace trace = attend(problem);
    bool is_none = std::isnan(trace.sink_weights(0, 3, 0));
    const bool has_positive = [&] {
        const Vector scores = stage_row(problem, trace, TensorId::masked_scores, 0, 3);
        return std::any_of(scores.begin(), scores.begin() + 4,
                           [](float s) { return std::isnan(s) || s == std::numeric_limits<float>::infinity(); });
    }();
    CHECK(is_none == has_positive);
    for (int j = 0; j < 4; ++j) CHECK(std::isnan(row_of(trace.weights, 0, 3)[static_cast<std::size_t>(j)]) == is_none);
    CHECK(row_of(trace.weights, 0, 3)[4] == 0);
    CHECK(std::isfinite(trace.sink_weights(0, 2, 0)));
}

}  // namespace attn::test
