// Where the mask comes in: before the softmax, after it with the rows divided again, or after it and nothing more.
#include "core/attention/masking.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"

#include <catch_amalgamated.hpp>

#include <cmath>
#include <string>

#include "core/operations/stage_words.h"
#include "core/problems.h"

namespace attn::test {
namespace {

AttentionProblem masked_problem(MaskAt mask_at, int num_tokens, std::uint64_t seed) {
    AttentionProblem problem =
        random_problem({.num_tokens = num_tokens, .d_in = 6, .head_dim = 3, .num_heads = 2}, seed);
    problem.settings.mask_at = mask_at;
    return problem;
}

Matrix stage_of(const AttentionProblem& problem, TensorId stage, int head) {
    return stage_matrix(problem, attend(problem), stage, head);
}

double row_sum(const Matrix& matrix, int row) {
    double sum = 0;
    for (const float value : row_of(matrix, row)) sum += static_cast<double>(value);
    return sum;
}

void require_all_close(const Matrix& a, const Matrix& b, double tolerance) {
    REQUIRE(a.shape() == b.shape());
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double distance = std::abs(static_cast<double>(a.data()[k]) - static_cast<double>(b.data()[k]));
        if (!(distance <= tolerance)) FAIL("element " << k << " is " << a.data()[k] << ", want " << b.data()[k]);
    }
}

}  // namespace

TEST_CASE("a window hides what lies farther off, but for the sinks", "[masking]") {
    const auto picture = [](Mask mask, const MaskWindow& window) {
        const Flags hidden = make_mask(mask, 5, window);
        std::string rows;
        for (int i = 0; i < 5; ++i) {
            for (int j = 0; j < 5; ++j) rows += hidden(i, j) != 0 ? '.' : 'x';
            rows += ' ';
        }
        return rows;
    };
    CHECK(picture(Mask::causal, {.keys = 1}) == "x.... .x... ..x.. ...x. ....x ");
    CHECK(picture(Mask::causal, {.keys = 3}) == "x.... xx... xxx.. .xxx. ..xxx ");
    CHECK(picture(Mask::causal, {.keys = 2, .sinks = 1}) == "x.... xx... xxx.. x.xx. x..xx ");
    CHECK(picture(Mask::causal, {.keys = 1, .sinks = 9}) == "x.... xx... xxx.. xxxx. xxxxx ");
    CHECK(picture(Mask::none, {.keys = 1}) == "x.... .x... ..x.. ...x. ....x ");
    CHECK(picture(Mask::none, {.keys = 2}) == "xx... xxx.. .xxx. ..xxx ...xx ");
    CHECK(picture(Mask::none, {.keys = 2, .sinks = 2}) == "xx... xxx.. xxxx. xxxxx xx.xx ");
}

TEST_CASE("a window of all tokens is the mask without one, and sinks alone change nothing", "[masking][property]") {
    for (const Mask mask : {Mask::causal, Mask::none}) {
        for (int num_tokens = 1; num_tokens < 7; ++num_tokens) {
            const Flags plain = make_mask(mask, num_tokens);
            for (const MaskWindow& window : {MaskWindow{.keys = num_tokens}, MaskWindow{.keys = 2048, .sinks = 3},
                                             MaskWindow{.keys = 0, .sinks = 3}})
                CHECK(make_mask(mask, num_tokens, window) == plain);
        }
    }
}

TEST_CASE("masking before the softmax or after it with a new division gives the same weights", "[masking][property]") {
    const int num_tokens = GENERATE(1, 2, 9, 33);
    const bool is_causal = GENERATE(true, false);
    CAPTURE(num_tokens, is_causal);
    AttentionProblem before = masked_problem(MaskAt::before, num_tokens, 61);
    AttentionProblem after = masked_problem(MaskAt::after, num_tokens, 61);
    if (!is_causal) before.hidden = after.hidden = random_mask(num_tokens, 62);
    for (int h = 0; h < 2; ++h) {
        // Each way rounds the difference to a maximum, exp, a sum and one or two quotients: less than 16 units of 2^-24
        // of a number that is at most 1. The values behind the contexts and outputs here stay below 4.
        require_all_close(stage_of(before, TensorId::weights, h), stage_of(after, TensorId::weights, h), 16 * 0x1p-24);
        require_all_close(stage_of(before, TensorId::context, h), stage_of(after, TensorId::context, h), 64 * 0x1p-24);
    }
    require_all_close(stage_of(before, TensorId::output, 0), stage_of(after, TensorId::output, 0), 256 * 0x1p-24);
}

TEST_CASE("masking after the softmax alone leaves rows that do not sum to 1", "[masking][property]") {
    const AttentionProblem problem = masked_problem(MaskAt::after_raw, 8, 63);
    const Matrix whole = stage_of(problem, TensorId::unmasked_weights, 1);
    const Matrix weights = stage_of(problem, TensorId::weights, 1);
    for (int i = 0; i < 8; ++i) {
        // One rounding of the row sum and one of each quotient.
        CHECK(std::abs(row_sum(whole, i) - 1) <= 1e-6);
        for (int j = 0; j < 8; ++j) CHECK(same_bits(weights(i, j), j > i ? 0.0F : whole(i, j)));
    }
    CHECK(row_sum(weights, 0) < 0.5);
    CHECK(std::abs(row_sum(weights, 7) - 1) <= 1e-6);  // the last token sees all
}

TEST_CASE("rows that are divided again sum to 1, and hidden keys stay at exactly 0", "[masking][property]") {
    AttentionProblem problem = masked_problem(MaskAt::after, 40, 64);
    problem.hidden = random_mask(40, 65);
    const Matrix weights = stage_of(problem, TensorId::weights, 0);
    for (int i = 0; i < 40; ++i) {
        CHECK(std::abs(row_sum(weights, i) - 1) <= 1e-6);
        for (int j = 0; j < 40; ++j) {
            if (problem.hidden(i, j) != 0) CHECK(same_bits(weights(i, j), 0.0F));
        }
    }
}

TEST_CASE("without a mask its place changes nothing but the last rounding", "[masking][property]") {
    const MaskAt mask_at = GENERATE(MaskAt::after, MaskAt::after_raw);
    AttentionProblem problem = masked_problem(mask_at, 7, 66);
    AttentionProblem before = masked_problem(MaskAt::before, 7, 66);
    problem.hidden = before.hidden = make_mask(Mask::none, 7);
    // Divided once more by a sum that is 1 within a few units.
    require_all_close(stage_of(problem, TensorId::weights, 0), stage_of(before, TensorId::weights, 0), 8 * 0x1p-24);
}

TEST_CASE("a mask after the softmax that leaves nothing gives 0 / 0, as it does in PyTorch", "[masking]") {
    AttentionProblem problem = masked_problem(MaskAt::after, 2, 67);
    // Query 0 prefers key 1, which is hidden, by more than a float's smallest weight can say.
    problem.typed_roles = {{.role = TensorId::queries, .row = 0, .column = 0, .value = 100},
                           {.role = TensorId::keys, .row = 1, .column = 0, .value = 100}};
    CHECK(stage_of(problem, TensorId::unmasked_weights, 0)(0, 0) == 0);
    CHECK(std::isnan(stage_of(problem, TensorId::weights, 0)(0, 0)));
    CHECK(std::isnan(stage_of(problem, TensorId::context, 0)(0, 0)));
    CHECK_FALSE(std::isnan(stage_of(problem, TensorId::context, 1)(0, 0)));  // the other head
    problem.settings.mask_at = MaskAt::before;
    CHECK(stage_of(problem, TensorId::weights, 0)(0, 0) == 1);
}

TEST_CASE("dropout and context use the weights wherever the mask came in", "[masking]") {
    AttentionProblem problem = masked_problem(MaskAt::after_raw, 6, 68);
    problem.settings.dropout = 0.5;
    const AttentionTrace trace = attend(problem);
    const Matrix weights = stage_matrix(problem, trace, TensorId::weights, 0);
    const Matrix dropped = stage_matrix(problem, trace, TensorId::dropped_weights, 0);
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) CHECK(dropped(i, j) == (trace.keep(0, i, j) != 0 ? 2 * weights(i, j) : 0));
    }
}

TEST_CASE("each place of the mask has its stages and words of its own for the weights", "[masking]") {
    CHECK(exists_with(MaskAt::before, TensorId::masked_scores));
    CHECK_FALSE(exists_with(MaskAt::before, TensorId::unmasked_weights));
    for (const MaskAt mask_at : {MaskAt::after, MaskAt::after_raw}) {
        CHECK_FALSE(exists_with(mask_at, TensorId::masked_scores));
        CHECK(exists_with(mask_at, TensorId::unmasked_weights));
        CHECK(softmax_stage(mask_at) == TensorId::unmasked_weights);
        CHECK(softmax_source(LayerParts{.mask_at = mask_at}) == TensorId::scaled_scores);
        CHECK(stage_words(TensorId::weights, {.mask_at = mask_at}, GoalKind::none).formula !=
              stage_words(TensorId::weights).formula);
        CHECK(stage_words(TensorId::context, {.mask_at = mask_at}, GoalKind::none).formula ==
              stage_words(TensorId::context).formula);
    }
    CHECK(softmax_stage(MaskAt::before) == TensorId::weights);
    CHECK(softmax_source(LayerParts{.mask_at = MaskAt::before}) == TensorId::masked_scores);
    CHECK(stage_words(TensorId::weights, {.mask_at = MaskAt::before}, GoalKind::none).formula ==
          stage_words(TensorId::weights).formula);
    CHECK(stage_words(TensorId::weights, {.mask_at = MaskAt::after_raw}, GoalKind::none).meaning.find("sums to 1") ==
          std::string_view::npos);
}

}  // namespace attn::test
