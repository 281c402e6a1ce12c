// Wished-for patterns and what each head makes of them.
#include "views/lines/wishes.h"
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"

using namespace attn;

TEST_CASE("a wish is added in order, and taken away by the same again", "[wishes]") {
    View view;
    CHECK(toggle_wish(view, {.query = 7, .key = 4}));
    CHECK(toggle_wish(view, {.query = 7, .key = 10}));
    CHECK(toggle_wish(view, {.query = 1, .key = 10}));
    CHECK(view.wish == std::vector<Wish>{{1, 10}, {7, 4}, {7, 10}});
    CHECK(toggle_wish(view, {.query = 7, .key = 4}));
    CHECK(view.wish == std::vector<Wish>{{1, 10}, {7, 10}});
}

TEST_CASE("wishes that are taught are the targets of the heads that are looked at", "[wishes][learn]") {
    PlaygroundState state = read_link("wish=7>1,10>4&target=1:5>0&target=2:5>0&heads=2").state;
    const auto of_head = [&](int head) {
        return std::ranges::count_if(state.inputs.targets, [&](const TargetCell& one) { return one.head == head; });
    };
    state.view.head = 1;
    teach_wishes(state);
    CHECK(state.inputs.goal == GoalKind::pattern);
    CHECK(of_head(0) == 1);
    CHECK(of_head(1) == 2);
    state.view.head.reset();
    teach_wishes(state);
    CHECK(of_head(0) == 2);
    CHECK(of_head(1) == 2);
    CHECK(state.inputs.steps == 0);
}

TEST_CASE("there is room for so many wishes", "[wishes][bad-input]") {
    View view;
    for (int k = 0; k < static_cast<int>(kMaxWishes); ++k) REQUIRE(toggle_wish(view, {.query = k, .key = 0}));
    const std::vector<Wish> full = view.wish;
    CHECK_FALSE(toggle_wish(view, {.query = 0, .key = 1}));
    CHECK(view.wish == full);
    CHECK(toggle_wish(view, {.query = 0, .key = 0}));  // taking away always works
    CHECK(view.wish.size() == kMaxWishes - 1);
}

TEST_CASE("the largest key of a row is known from the weights, ties included", "[wishes]") {
    Vector row({4}, 0);
    row(0) = 0.4F;
    row(1) = 0.2F;
    row(2) = 0.4F;
    row(3) = -std::numeric_limits<float>::infinity();
    CHECK(score_wish(row, {.query = 2, .key = 0}).is_largest);
    CHECK(score_wish(row, {.query = 2, .key = 2}).is_largest);
    CHECK_FALSE(score_wish(row, {.query = 2, .key = 1}).is_largest);
    CHECK(score_wish(row, {.query = 2, .key = 1}).weight == 0.2F);
    const WishScore hidden = score_wish(row, {.query = 2, .key = 3});
    CHECK(hidden.is_hidden);
    CHECK_FALSE(hidden.is_largest);
    CHECK(hidden.weight == 0);
}

TEST_CASE("the wishes as text: a column for each head that is looked at", "[wishes]") {
    const PlaygroundState state = read_link("heads=2&wish=7%3E1,7%3E10").state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const std::vector<TextTable> tables = tables_of_wishes(state.view, evaluation);
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
    CHECK(tables_of_wishes(one.view, evaluation)[0].columns == std::vector<std::string>{"query → key", "head 2"});
    one.view.wish.clear();
    CHECK(tables_of_wishes(one.view, evaluation).empty());
}
