// Targets in pictures, and what each head makes of them.
#include "views/lines/targets.h"
#include "core/fast/attend.h"

#include <catch_amalgamated.hpp>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"

using namespace attn;

TEST_CASE("the largest key of a row is known from the weights, ties included", "[targets]") {
    Vector row({4}, 0);
    row(0) = 0.4F;
    row(1) = 0.2F;
    row(2) = 0.4F;
    row(3) = -std::numeric_limits<float>::infinity();
    CHECK(score_target(row, {.query = 2, .key = 0}).is_largest);
    CHECK(score_target(row, {.query = 2, .key = 2}).is_largest);
    CHECK_FALSE(score_target(row, {.query = 2, .key = 1}).is_largest);
    CHECK(score_target(row, {.query = 2, .key = 1}).weight == 0.2F);
    const TargetScore hidden = score_target(row, {.query = 2, .key = 3});
    CHECK(hidden.is_hidden);
    CHECK_FALSE(hidden.is_largest);
    CHECK(hidden.weight == 0);
}

TEST_CASE("targets as text: a column for each head that is looked at", "[targets]") {
    const PlaygroundState state = read_link("heads=2&wish=7%3E1,7%3E10").state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const std::vector<TextTable> tables = tables_of_targets(state, evaluation);
    REQUIRE(tables.size() == 1);
    CHECK(tables[0].columns == std::vector<std::string>{"query → key", "head 1", "head 2"});
    REQUIRE(tables[0].rows.size() == 2);
    CHECK(tables[0].rows[0][0] == "woman → artist");
    for (int h = 0; h < 2; ++h) {
        const Matrix weights = stage_matrix(*evaluation.problem, evaluation.trace, TensorId::weights, h);
        CHECK(tables[0].rows[0][static_cast<std::size_t>(h) + 1].starts_with(shown_number(weights(7, 1))));
        CHECK(tables[0].rows[1][static_cast<std::size_t>(h) + 1] == "masked");
    }
    PlaygroundState one = state;
    one.view.head = 1;
    CHECK(tables_of_targets(one, evaluation)[0].columns == std::vector<std::string>{"query → key", "head 2"});
    one.inputs.targets.clear();
    CHECK(tables_of_targets(one, evaluation).empty());
}

TEST_CASE("a head that is not asked says so, and half a row has its share", "[targets]") {
    const PlaygroundState state = read_link("target=1:10>1,10>7&target=2:10>7").state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const TextTable table = tables_of_targets(state, evaluation).front();
    REQUIRE(table.rows.size() == 2);
    CHECK(table.rows[0][1].find(" of 0.5000") != std::string::npos);
    CHECK(table.rows[0][2].ends_with(", not asked"));
    CHECK(table.rows[1][2].find(" of ") == std::string::npos);
}

TEST_CASE("a head's summary: what it is asked and how much of it it does", "[targets]") {
    const PlaygroundState state = read_link("target=1:10>1&target=2:10>7,9>6,8>0").state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const auto weight = [&](int head, int query, int key) {
        return static_cast<double>(
            stage_matrix(*evaluation.problem, evaluation.trace, TensorId::weights, head)(query, key));
    };
    CHECK(target_summary(state, evaluation, 0, true) ==
          concat("target: brush → artist ", cell_number(weight(0, 10, 1))));
    CHECK(target_summary(state, evaluation, 0, false) == "target: brush → artist");
    const double mean = (weight(1, 10, 7) + weight(1, 9, 6) + weight(1, 8, 0)) / 3;
    CHECK(target_summary(state, evaluation, 1, true) ==
          concat("targets in 3 rows: ", cell_number(mean), " of each on average"));
    CHECK(target_summary(read_link("").state, evaluation, 0, true).empty());
}

TEST_CASE("a line is in a head's colour where this head alone is asked", "[targets]") {
    const PlaygroundState state = read_link("target=1:10>1,10>7&target=2:10>7").state;
    const std::vector<DrawnTarget> drawn = drawn_targets(state);
    REQUIRE(drawn.size() == 2);
    CHECK(drawn[0].pair == TargetPair{10, 1});
    CHECK(drawn[0].head == 0);
    CHECK(drawn[1].pair == TargetPair{10, 7});
    CHECK_FALSE(drawn[1].head);
    PlaygroundState second = state;
    second.view.head = 1;
    REQUIRE(drawn_targets(second).size() == 1);
    CHECK_FALSE(drawn_targets(second)[0].head);  // there is no other to tell it from
}
