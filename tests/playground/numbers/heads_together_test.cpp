// Mean and maximum over heads, and the numbers beside a row, against plain loops.
#include "playground/numbers/heads_together.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"
#include "views/words/announcement.h"

using namespace attn;

namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

struct Case {
    explicit Case(std::string_view link) : state(read_link(link).state), evaluation(evaluate(state.inputs, 0)) {}
    PlaygroundState state;
    Evaluation evaluation;
};

const char* const kLinks[] = {
    "heads=2",
    "heads=4&d_out=16&dropout=0.3",
    "heads=12&d_out=48&mask=none",
    "heads=8&d_out=8&text=one",
    "heads=4&d_out=8&edit=mask[0,0]=1&text=a+b+c&mask=none",
};

bool is_square(TensorId stage) {
    return stage_info(stage).columns == Axis::key_token;
}

}  // namespace

TEST_CASE("mean and maximum of the heads are those of a plain loop", "[heads-together][reference]") {
    for (const char* link : kLinks) {
        const Case given(link);
        for (const TensorId stage : present_stages(given.state.inputs)) {
            if (!is_square(stage)) continue;
            CAPTURE(link, tensor_name(stage));
            const Matrix mean = combined_matrix(given.evaluation, stage, Combine::mean);
            const Matrix largest = combined_matrix(given.evaluation, stage, Combine::max);
            const int num_heads = given.evaluation.sizes.num_heads;
            for (std::size_t i = 0; i < mean.shape(0); ++i) {
                for (std::size_t j = 0; j < mean.shape(1); ++j) {
                    double sum = 0;
                    double most = -std::numeric_limits<double>::infinity();
                    for (int h = 0; h < num_heads; ++h) {
                        const double value = shown_matrix(given.evaluation, stage, h)(i, j);
                        sum += value;
                        most = std::max(most, value);
                    }
                    const bool is_hidden = is_masked_stage(stage) && given.evaluation.problem->hidden(i, j) != 0;
                    CHECK((mean(i, j) == kHidden) == is_hidden);
                    CHECK((largest(i, j) == kHidden) == is_hidden);
                    if (is_hidden) continue;
                    // One rounding to float at the end.
                    CHECK(mean(i, j) == Catch::Approx(sum / num_heads).epsilon(1e-7).margin(1e-12));
                    CHECK(largest(i, j) == most);
                }
            }
        }
    }
}

TEST_CASE("the explanation of a combined cell adds up to the cell, each term the cell of its head",
          "[heads-together][property]") {
    for (const char* link : kLinks) {
        const Case given(link);
        const int num_tokens = given.evaluation.num_tokens();
        for (const TensorId stage : present_stages(given.state.inputs)) {
            if (!is_square(stage)) continue;
            for (const Combine combine : {Combine::mean, Combine::max}) {
                const Matrix combined = combined_matrix(given.evaluation, stage, combine);
                for (int i = 0; i < num_tokens; ++i) {
                    for (int j = 0; j < num_tokens; ++j) {
                        CAPTURE(link, tensor_name(stage), i, j);
                        const Explanation explanation = explain_combined(given.evaluation, stage, combine, i, j);
                        const float shown = combined(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
                        REQUIRE(explanation.is_hidden == (shown == kHidden));
                        if (explanation.is_hidden) {
                            CHECK(explanation.terms.empty());
                            continue;
                        }
                        CHECK(explanation.shown == shown);
                        CHECK(shown_number(explanation.result()) == shown_number(static_cast<double>(shown)));
                        const std::size_t count = combine == Combine::mean ? given.evaluation.sizes.num_heads : 1;
                        REQUIRE(explanation.terms.size() == count);
                        for (const Term& term : explanation.terms) {
                            const CellRef& source = term.a.source;
                            CHECK((source.tensor == stage && source.row == i && source.column == j));
                            CHECK(term.label == concat("head ", source.head + 1));
                            const Matrix head = shown_matrix(given.evaluation, stage, source.head);
                            CHECK(term.a.value == head(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("only stages of query and key are combined, and only with several heads", "[heads-together]") {
    const Case two("heads=2");
    CHECK(is_combined(two.evaluation, TensorId::weights, Combine::mean));
    CHECK(is_combined(two.evaluation, TensorId::scores, Combine::max));
    CHECK_FALSE(is_combined(two.evaluation, TensorId::weights, Combine::none));
    CHECK_FALSE(is_combined(two.evaluation, TensorId::context, Combine::mean));
    CHECK_FALSE(is_combined(two.evaluation, TensorId::merged, Combine::mean));
    CHECK_FALSE(is_combined(Case("heads=1").evaluation, TensorId::weights, Combine::mean));
}

TEST_CASE("entropy: equal weights give log2 of their number, a single one none", "[heads-together]") {
    for (const int count : {1, 2, 3, 8, 100}) {
        const std::vector<float> equal(static_cast<std::size_t>(count), 1.0F / static_cast<float>(count));
        // Float weights carry a relative error of 6e-8 each, which the sum keeps.
        CHECK(row_entropy_bits(equal) == Catch::Approx(std::log2(count)).margin(1e-6));
    }
    CHECK(row_entropy_bits(std::vector<float>{0, 1, 0, kHidden}) == 0);
    CHECK(row_entropy_bits(std::vector<float>{0.5F, 0.25F, 0.25F, kHidden, kHidden}) == 1.5);
}

TEST_CASE("sum and largest of a row leave hidden keys out", "[heads-together]") {
    const std::vector<float> row = {0.25F, 0.5F, 0.125F, kHidden};
    CHECK(row_sum(row) == 0.875);
    CHECK(row_largest(row) == 0.5);
    CHECK(row_stat(row, RowStat::sum) == 0.875);
    CHECK(row_stat(row, RowStat::largest) == 0.5);
    CHECK(row_stat(row, RowStat::entropy) == row_entropy_bits(row));
}

TEST_CASE("the numbers beside the rows are those of each row", "[heads-together]") {
    const Case given("heads=4&d_out=16");
    const Matrix weights = shown_matrix(given.evaluation, TensorId::weights, 2);
    for (const RowStat stat : {RowStat::sum, RowStat::entropy, RowStat::largest}) {
        const std::vector<double> stats = row_stats(given.evaluation, TensorId::weights, 2, stat);
        REQUIRE(stats.size() == 11);
        for (int i = 0; i < 11; ++i) CHECK(stats[static_cast<std::size_t>(i)] == row_stat(row_of(weights, i), stat));
        if (stat != RowStat::sum) continue;
        for (const double sum : stats) CHECK(std::abs(sum - 1) < 1e-6);  // float rounding of eleven weights
    }
    CHECK(row_stats(given.evaluation, TensorId::weights, 2, RowStat::none).empty());
    CHECK(has_row_stats(TensorId::dropped_weights));
    CHECK_FALSE(has_row_stats(TensorId::scores));
    CHECK_FALSE(has_row_stats(TensorId::context));
}

TEST_CASE("masking after the softmax without dividing again leaves rows short of 1", "[heads-together]") {
    const Case given("mask_at=raw");
    const std::vector<double> sums = row_stats(given.evaluation, TensorId::weights, 0, RowStat::sum);
    CHECK(sums.front() < 1 - kSumTolerance);
    CHECK(std::abs(sums.back() - 1) < kSumTolerance);  // the last query sees every key
}

TEST_CASE("the combined picture and the rows' numbers are told as text", "[heads-together]") {
    const Case mean("combine=mean&row_stat=sum");
    const std::vector<TextTable> tables = tables_of_heads_together(mean.state.view, mean.evaluation);
    REQUIRE(tables.size() == 1);
    CHECK(tables[0].title == "Mean of 2 heads, weights");
    REQUIRE(tables[0].rows.size() == 11);
    REQUIRE(tables[0].columns.size() == 13);
    CHECK(tables[0].rows[0] == std::vector<std::string>{"The", "1.0000", "masked", "masked", "masked", "masked",
                                                        "masked", "masked", "masked", "masked", "masked", "masked",
                                                        "1.0000"});
    const Case stat("row_stat=entropy&head=2");
    const std::vector<TextTable> beside = tables_of_heads_together(stat.state.view, stat.evaluation);
    REQUIRE(beside.size() == 1);
    CHECK(beside[0].columns == std::vector<std::string>{"query", "head 2"});
    CHECK(beside[0].rows[0] == std::vector<std::string>{"The", "0"});
    CHECK(tables_of_heads_together(Case("").state.view, Case("").evaluation).empty());
}

TEST_CASE("a combined cell is told in words, and announced as what it is", "[heads-together]") {
    const Case mean("combine=mean&cell=2,7,1");
    const Explanation explanation = explain_combined(mean.evaluation, TensorId::weights, Combine::mean, 7, 1);
    const std::string shown = shown_number(static_cast<double>(explanation.shown));
    CHECK(combined_lines(explanation, Combine::mean).back() == concat("= ", shown));
    CHECK(announcement_of(mean.state, mean.evaluation) == concat("Mean of 2 heads, weights, woman to artist: ", shown));
    const Case largest("combine=max&cell=2,7,1");
    const Explanation most = explain_combined(largest.evaluation, TensorId::weights, Combine::max, 7, 1);
    CHECK(combined_lines(most, Combine::max).back() == "= 0.3910, of head 2");
    CHECK(announcement_of(Case("combine=max&cell=1,0,5").state, largest.evaluation) ==
          "Largest of 2 heads, weights, The to of: masked");
    // Other views show one head.
    CHECK(announcement_of(Case("combine=max&cell=1,7,1&view=vectors").state, largest.evaluation)
              .starts_with("weights, head 1"));
    CHECK_FALSE(shows_combined(largest.evaluation, Case("combine=max&view=vectors").state.view));
    CHECK_FALSE(shows_combined(largest.evaluation, Case("combine=max&stage=context").state.view));
}
