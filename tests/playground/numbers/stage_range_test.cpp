#include "playground/numbers/stage_range.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "core/ground/check.h"
#include "playground/linked.h"
#include "playground/stage_summary.h"

namespace attn {
namespace {

using test::evaluation_of;

StageSummary summary_of(const Evaluation& evaluation, TensorId stage) {
    const int num_maps = stage_info(stage).has_heads ? evaluation.sizes.num_heads : 1;
    return test::summarize_stage(evaluation, stage, num_maps,
                                 [&](int head) { return shown_matrix(evaluation, stage, head); });
}

std::string words_link(int count) {
    std::string text = "text=w0";
    for (int i = 1; i < count; ++i) text += concat("+w", i);
    return text;
}

TEST_CASE("weights of few tokens go from 0 to 1, dropped ones to 1 / (1 - p)", "[range]") {
    const Evaluation evaluation = evaluation_of("text=a+b+c&dropout=0.5");
    const StageRange weights = stage_range(evaluation, TensorId::weights, summary_of(evaluation, TensorId::weights));
    CHECK(weights.low == 0);
    CHECK(weights.high == 1);
    const TensorId dropped = TensorId::dropped_weights;
    CHECK(stage_range(evaluation, dropped, summary_of(evaluation, dropped)).high == 2);
}

TEST_CASE("weights of many tokens end where at most one row in four goes beyond", "[range][property]") {
    const Evaluation evaluation = evaluation_of(words_link(60) + "&heads=2");
    const StageSummary summary = summary_of(evaluation, TensorId::weights);
    CHECK(summary.ceiling < 1);
    int num_beyond = 0;
    for (int head = 0; head < 2; ++head) {
        const Matrix weights = shown_matrix(evaluation, TensorId::weights, head);
        for (int i = 0; i < 60; ++i) {
            const auto row = row_of(weights, i);
            num_beyond += *std::max_element(row.begin(), row.end()) > summary.ceiling ? 1 : 0;
        }
    }
    CHECK(num_beyond * 4 <= 2 * 60);
    CHECK(stage_range(evaluation, TensorId::weights, summary).high == summary.ceiling);
}

TEST_CASE("signed stages are symmetric about 0, one range for all heads", "[range]") {
    const Evaluation evaluation = evaluation_of("text=a+b+c&heads=2");
    const StageSummary summary = summary_of(evaluation, TensorId::masked_scores);
    float largest = 0;
    for (int head = 0; head < 2; ++head) {
        const Matrix scores = shown_matrix(evaluation, TensorId::masked_scores, head);
        for (const float score : elements(scores)) {
            if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
        }
    }
    CHECK(summary.largest == largest);
    const StageRange range = stage_range(evaluation, TensorId::masked_scores, summary);
    CHECK(range.high == largest);
    CHECK(range.low == -largest);
    CHECK(summary.has_hidden);
    CHECK(summary.hides_only_future);
}

TEST_CASE("what is not finite does not count, and zeros have a range, too", "[range]") {
    const Evaluation evaluation = evaluation_of("text=a+b+c");
    const StageSummary summary = test::summarize_stage(evaluation, TensorId::output, 1, [](int) {
        Matrix values = zeros<Matrix>(2, 2);
        values(0, 0) = std::numeric_limits<float>::infinity();
        values(1, 1) = std::numeric_limits<float>::quiet_NaN();
        return values;
    });
    CHECK(summary.largest == 0);
    CHECK(stage_range(evaluation, TensorId::output, summary).high == 1);
    CHECK_FALSE(summary.has_hidden);
}

TEST_CASE("a key that is hidden before its query is not in the future", "[range]") {
    const Evaluation evaluation = evaluation_of("text=a+b+c&edit=mask[2,0]=1");
    CHECK_FALSE(summary_of(evaluation, TensorId::weights).hides_only_future);
}

TEST_CASE("the ends of a range have no zeros at their ends", "[range]") {
    const auto [value, text] = GENERATE(table<float, std::string>(
        {{0, "0"}, {1, "1"}, {0.05F, "0.05"}, {-2.1968F, "−2.1968"}, {1.5e6F, "1.5000e6"}, {10, "10"}}));
    CHECK(range_end_text(value) == text);
}

}  // namespace
}  // namespace attn
