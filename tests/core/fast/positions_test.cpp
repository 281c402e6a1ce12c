// Rotary positions and ALiBi through the whole forward pass: against the reference, and what they are for.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "core/explain/stage_numbers.h"
#include "core/failed_check.h"
#include "core/fast/attend.h"
#include "core/operations/values.h"
#include "core/problems.h"

namespace attn::test {
namespace {

// The largest difference between the fast numbers of a stage and the reference's; infinite where only one is.
double largest_error(const AttentionProblem& problem, TensorId stage, double& size) {
    const AttentionTrace trace = attend(problem);
    const LayerValues reference = layer_values(problem);
    double worst = 0;
    for (int h = 0; h < heads_of(problem, stage); ++h) {
        const Matrix fast = stage_matrix(problem, trace, stage, h);
        const MatrixD plain = reference.matrix(stage, h);
        for (std::size_t k = 0; k < fast.size(); ++k) {
            const auto a = static_cast<double>(fast.data()[k]);
            if (a == plain.data()[k]) continue;  // -inf, too
            size = std::max(size, std::abs(plain.data()[k]));
            worst = std::max(worst, std::abs(a - plain.data()[k]));
        }
    }
    return worst;
}

AttentionProblem problem_at(int shift, RotaryPairs pairs, int num_tokens = 24) {
    AttentionProblem problem = random_problem({.num_tokens = num_tokens, .d_in = 8, .head_dim = 16, .num_heads = 2}, 5);
    problem.settings.rotary = {.is_on = true, .pairs = pairs, .base = 10000, .shift = shift};
    return problem;
}

double largest_score_difference(const AttentionProblem& a, const AttentionProblem& b) {
    const AttentionTrace at_a = attend(a), at_b = attend(b);
    double worst = 0;
    for (int h = 0; h < a.settings.num_heads; ++h) {
        const Matrix x = stage_matrix(a, at_a, TensorId::scores, h), y = stage_matrix(b, at_b, TensorId::scores, h);
        for (std::size_t k = 0; k < x.size(); ++k)
            worst = std::max(worst, std::abs(static_cast<double>(x.data()[k]) - static_cast<double>(y.data()[k])));
    }
    return worst;
}

}  // namespace

TEST_CASE("with positions in the scores every stage is that of the reference", "[rotary][alibi][reference]") {
    const bool is_rotary = GENERATE(true, false);
    const MaskAt mask_at = GENERATE(MaskAt::before, MaskAt::after, MaskAt::after_raw);
    const int num_tokens = GENERATE(1, 7, 40);
    const bool is_random = GENERATE(true, false);
    AttentionProblem problem = random_problem(
        {.num_tokens = num_tokens, .d_in = 6, .head_dim = 6, .num_heads = 6, .num_kv_heads = is_random ? 2 : 0}, 51);
    problem.settings.mask_at = mask_at;
    problem.settings.dropout = is_random ? 0.3 : 0;
    if (is_random) problem.hidden = random_mask(num_tokens, 52);
    problem.settings.rotary = {.is_on = is_rotary, .pairs = RotaryPairs::neighbours, .base = 100, .shift = -9};
    problem.settings.alibi.is_on = !is_rotary;
    const bool is_capped = num_tokens != 40;
    problem.settings.score_cap = is_capped ? 0.7F : 0;
    const bool is_normed = num_tokens == 7;
    if (is_normed) draw_norms(problem, 53);
    int num_stages = 0;
    for (const StageInfo& info : stage_table()) {
        if (!has_stage(problem, info.id)) continue;
        ++num_stages;
        double size = 1;
        CAPTURE(info.name);
        const double error = largest_error(problem, info.id, size);
        CHECK(error <= 5e-6 * size);  // some thirty roundings of 6e-8; biases are up to 40 in size
    }
    // Without positions 10 and the masked scores or the unmasked weights.
    CHECK(num_stages == 11 + (is_rotary ? 2 : 1) + (is_random ? 1 : 0) + (is_capped ? 1 : 0) + (is_normed ? 2 : 0));
}

TEST_CASE("stages of positions and caps are there only where they are asked for", "[rotary][alibi]") {
    AttentionProblem problem = random_problem({.head_dim = 4}, 1);
    for (const TensorId stage : {TensorId::rotated_queries, TensorId::rotated_keys, TensorId::biased_scores,
                                 TensorId::capped_scores, TensorId::grad_rotated_queries, TensorId::grad_rotated_keys,
                                 TensorId::grad_biased_scores, TensorId::grad_capped_scores, TensorId::normed_queries,
                                 TensorId::normed_keys, TensorId::grad_normed_keys, TensorId::grad_k_norm})
        CHECK_FALSE(has_stage(problem, stage));
    CHECK(attend(problem).changed_query.size() == 0);
    problem.settings.rotary.is_on = true;
    CHECK(has_stage(problem, TensorId::rotated_keys));
    CHECK_FALSE(has_stage(problem, TensorId::biased_scores));
    problem.settings.score_cap = 50;
    CHECK(has_stage(problem, TensorId::capped_scores));
}

// Only the distance counts in exact numbers: R(i)q . R(j)k = q . R(j - i)k. Not so to the bit: each rotated number is
// rounded to float after a turn by another angle, so 16 products of numbers around 1 differ by some 1e-7 each.
TEST_CASE("a sentence that slides keeps its scores, up to rounding", "[rotary][property]") {
    const RotaryPairs pairs = GENERATE(RotaryPairs::halves, RotaryPairs::neighbours);
    const AttentionProblem here = problem_at(0, pairs);
    const int shift = GENERATE(1, 100, -37, 5000, 900000);
    const AttentionProblem there = problem_at(shift, pairs);
    const double difference = largest_score_difference(here, there);
    CHECK(difference <= 4e-6);
    CHECK(difference > 0);  // the bits do change
    const AttentionTrace a = attend(here), b = attend(there);
    CHECK(a.query == b.query);
    CHECK(a.changed_query != b.changed_query);
}

TEST_CASE("rotary positions tell places apart: a token moved among others gets other scores", "[rotary][property]") {
    AttentionProblem near = problem_at(0, RotaryPairs::halves, 6);
    const AttentionProblem without = [&] {
        AttentionProblem plain = near;
        plain.settings.rotary.is_on = false;
        return plain;
    }();
    CHECK(largest_score_difference(near, without) > 0.01);
}

TEST_CASE("ALiBi takes the same off for the same distance, at the slope of the head", "[alibi][property]") {
    AttentionProblem problem = random_problem({.num_tokens = 9, .d_in = 6, .head_dim = 3, .num_heads = 8}, 7);
    problem.settings.alibi.is_on = true;
    problem.hidden = make_mask(Mask::none, 9);
    const AttentionTrace trace = attend(problem);
    for (int h = 0; h < 8; ++h) {
        const Matrix scaled = stage_matrix(problem, trace, TensorId::scaled_scores, h);
        const Matrix biased = stage_matrix(problem, trace, TensorId::biased_scores, h);
        for (int i = 0; i < 9; ++i) {
            for (int j = 0; j < 9; ++j)
                REQUIRE(biased(i, j) == scaled(i, j) - std::ldexp(1.0F, -1 - h) * static_cast<float>(std::abs(i - j)));
        }
    }
}

TEST_CASE("rotary positions without pairs or with a base below 1 are refused", "[rotary][bad-input]") {
    using Catch::Matchers::ContainsSubstring;
    AttentionProblem problem = random_problem({.head_dim = 3}, 1);
    problem.settings.rotary.is_on = true;
    CHECK_THAT(failed_check([&] { attend(problem); }), ContainsSubstring("a head of 3 numbers has no pairs"));
    problem = random_problem({.head_dim = 4}, 1);
    problem.settings.rotary = {.is_on = true, .base = 0.5};
    CHECK_THAT(failed_check([&] { attend(problem); }), ContainsSubstring("the base is 0.5"));
    problem.settings.rotary = {.is_on = true, .shift = kMaxRotaryPosition};
    CHECK_THAT(failed_check([&] { attend(problem); }), ContainsSubstring("want positions up to 1048576"));
}

}  // namespace attn::test
