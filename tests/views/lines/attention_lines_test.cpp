// The lines: which there are, which are kept, how strong they are drawn.
#include "views/lines/attention_lines.h"
#include "core/explain/stage_numbers.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "core/ground/check.h"
#include "playground/linked.h"
#include "playground/numbers/heads_together.h"

using namespace attn;
using namespace attn::test;

namespace {

LineChoice all_of(const ShownWeights& weights) {
    LineChoice choice{.queries = {}, .key = std::nullopt, .heads = heads_looked_at(weights, std::nullopt)};
    for (int i = 0; i < weights.num_tokens(); ++i) choice.queries.push_back(i);
    return choice;
}

}  // namespace

TEST_CASE("a larger weight never has a weaker line", "[lines][property]") {
    for (const float high : {1.0F, 0.05F, 2.0F}) {
        float before = 0;
        for (int k = 0; k <= 2000; ++k) {
            const float weight = high * 1.2F * static_cast<float>(k) / 2000;
            const float strength = line_strength(weight, high);
            CHECK(strength >= before);
            if (k > 0 && weight < high) CHECK(strength > before);
            CHECK(strength <= 1);
            before = strength;
        }
        CHECK(line_strength(high, high) == 1);
    }
    CHECK(line_strength(0, 1) == 0);
    CHECK(line_strength(-1, 1) == 0);
    CHECK(line_strength(-std::numeric_limits<float>::infinity(), 1) == 0);
    CHECK(line_strength(std::numeric_limits<float>::quiet_NaN(), 1) == 0);
}

TEST_CASE("lines show weights whatever stage is chosen", "[lines]") {
    const Evaluation plain = evaluation_of("");
    CHECK(lines_stage(plain, TensorId::weights) == TensorId::weights);
    CHECK(lines_stage(plain, TensorId::embeddings) == TensorId::weights);
    CHECK(lines_stage(plain, TensorId::scores) == TensorId::weights);
    CHECK(lines_stage(plain, TensorId::dropped_weights) == TensorId::weights);  // there are none
    const Evaluation dropped = evaluation_of("dropout=0.5");
    CHECK(lines_stage(dropped, TensorId::output) == TensorId::dropped_weights);
    CHECK(lines_stage(dropped, TensorId::weights) == TensorId::weights);
    const Evaluation after = evaluation_of("mask_at=after");
    CHECK(lines_stage(after, TensorId::unmasked_weights) == TensorId::unmasked_weights);
}

TEST_CASE("every visible weight has a line, hidden keys have none", "[lines]") {
    const Evaluation evaluation = evaluation_of("text=a+b+c+d&heads=2");
    const ShownWeights weights(evaluation, TensorId::weights, Combine::none);
    const LineSet set = strongest_lines(weights, all_of(weights), 1000);
    CHECK(set.num_found == 2 * (1 + 2 + 3 + 4));
    CHECK_FALSE(set.is_cut());
    float before = 0;
    for (const AttentionLine& line : set.lines) {
        CHECK(line.key <= line.query);
        CHECK(line.weight >= before);
        before = line.weight;
        const Matrix matrix = stage_matrix(*evaluation.problem, evaluation.trace, TensorId::weights, line.head);
        CHECK(line.weight == matrix(line.query, line.key));
    }
}

TEST_CASE("a dropped weight has no line", "[lines]") {
    const Evaluation evaluation = evaluation_of("text=a+b+c+d&heads=2&dropout=0.5&mask=none");
    const ShownWeights weights(evaluation, TensorId::dropped_weights, Combine::none);
    int num_kept = 0;
    for (const auto keep : evaluation.trace.keep) num_kept += keep;
    REQUIRE(num_kept > 0);
    REQUIRE(num_kept < 32);
    CHECK(strongest_lines(weights, all_of(weights), 1000).num_found == num_kept);
}

TEST_CASE("the strongest lines are kept, the rest is counted", "[lines][property]") {
    const Evaluation evaluation = evaluation_of("heads=4&mask=none");
    const ShownWeights weights(evaluation, TensorId::weights, Combine::none);
    const LineSet all = strongest_lines(weights, all_of(weights), 100000);
    REQUIRE(all.lines.size() == 4 * 11 * 11);
    for (const std::size_t most : {0, 1, 7, 100, 484, 485}) {
        const LineSet some = strongest_lines(weights, all_of(weights), most);
        CHECK(some.num_found == all.num_found);
        REQUIRE(some.lines.size() == std::min<std::size_t>(most, 484));
        CHECK(some.is_cut() == (most < 484));
        for (std::size_t k = 0; k < some.lines.size(); ++k) {
            const AttentionLine& one = some.lines[some.lines.size() - 1 - k];
            const AttentionLine& same = all.lines[all.lines.size() - 1 - k];
            CHECK((one.head == same.head && one.query == same.query && one.key == same.key));
        }
    }
}

TEST_CASE("combined heads make one line a pair", "[lines]") {
    const Evaluation evaluation = evaluation_of("heads=4&mask=none");
    for (const Combine combine : {Combine::mean, Combine::max}) {
        const ShownWeights weights(evaluation, TensorId::weights, combine);
        REQUIRE(weights.is_combined());
        const Matrix together = combined_matrix(evaluation, TensorId::weights, combine);
        const LineSet set = strongest_lines(weights, all_of(weights), 1000);
        CHECK(set.lines.size() == 11 * 11);
        for (const AttentionLine& line : set.lines) CHECK(line.weight == together(line.query, line.key));
    }
    CHECK_FALSE(ShownWeights(evaluation_of("heads=1"), TensorId::weights, Combine::mean).is_combined());
}

TEST_CASE("what is pointed at goes before the pin, the pin before the selection", "[lines]") {
    const Evaluation evaluation = evaluation_of("");
    const ShownWeights weights(evaluation, TensorId::weights, Combine::none);
    View view;
    using Rows = std::vector<int>;
    CHECK(choose_lines(view, weights, 2, 5, {}).queries == Rows{2, 3, 4});
    CHECK(choose_lines(view, weights, 8, 50, {}).queries == Rows{8, 9, 10});
    view.select = {3, 9};
    CHECK(choose_lines(view, weights, 2, 5, {}).queries == Rows{3});
    CHECK(choose_lines(view, weights, 0, 11, {}).queries == Rows{3, 9});
    view.cell = Cell{.head = 1, .row = 7, .column = 2};
    CHECK(choose_lines(view, weights, 0, 11, {}).queries == Rows{7});
    CHECK(choose_lines(view, weights, 0, 11, {.query = 4, .key = {}}).queries == Rows{4});
    const LineChoice to_key = choose_lines(view, weights, 0, 11, {.query = {}, .key = 1});
    CHECK(to_key.key == 1);
    CHECK(to_key.queries == Rows{3, 9});
    CHECK(to_key.heads.count() == 2);
    view.head = 1;
    const LineChoice of_head = choose_lines(view, weights, 0, 11, {});
    CHECK(of_head.heads.first == 1);
    CHECK(of_head.heads.count() == 1);
}

TEST_CASE("the lines to one key are those of its column", "[lines]") {
    const Evaluation evaluation = evaluation_of("mask=none&heads=2");
    const ShownWeights weights(evaluation, TensorId::weights, Combine::none);
    LineChoice choice = all_of(weights);
    choice.key = 4;
    const LineSet set = strongest_lines(weights, choice, 1000);
    CHECK(set.lines.size() == 2 * 11);
    for (const AttentionLine& line : set.lines) CHECK(line.key == 4);
}

TEST_CASE("one token has one line to itself", "[lines]") {
    const Evaluation evaluation = evaluation_of("text=alone&heads=1");
    const ShownWeights weights(evaluation, TensorId::weights, Combine::none);
    const LineSet set = strongest_lines(weights, all_of(weights), 10);
    REQUIRE(set.lines.size() == 1);
    CHECK(set.lines[0].weight == 1);
}
