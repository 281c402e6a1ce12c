// view=learn as tables and in a sentence, through the public path.
#include "views/learn/learn_text.h"

#include <algorithm>
#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "views/learn/learning_links.h"
#include "views/words/announcement.h"
#include "views/words/view_text.h"

namespace attn::test {

TEST_CASE("the tables have the losses, the bound, and every map of the strip", "[learn-text]") {
    const Learned learned("goal=pattern&target=1:10>1,10>7&optimizer=adam&rate=0.05&steps=100");
    const std::vector<TextTable> tables = tables_of_view(learned.state, learned.evaluator);
    REQUIRE(tables.size() == 1 + 2 * kStripFrames);
    const TextTable& losses = tables.front();
    CHECK(losses.title.find("The loss cannot go below 0.6931 = ln 2") != std::string::npos);
    REQUIRE(losses.rows.size() == kStripFrames + 1);
    CHECK(losses.rows.front() == std::vector<std::string>{"0", shown_number(learned.shown().run->losses().front())});
    CHECK(losses.rows[kStripFrames - 1] ==
          std::vector<std::string>{"100 (shown)", shown_number(learned.shown().run->losses().back())});
    CHECK(losses.rows.back() == std::vector<std::string>{"bound", "0.6931 = ln 2"});

    const TextTable& last = tables[kStripFrames];
    CHECK(last.title ==
          concat("Head 1, weights at step 100, loss ", shown_number(learned.shown().run->losses().back())));
    REQUIRE(last.rows.size() == 11);
    const float weight = row_of(learned.shown().trace.weights, 0, 10)[1];
    CHECK(last.rows[10][2] == concat(shown_number(static_cast<double>(weight)), " (target)"));
    CHECK(last.rows[0][2] == "masked");
    CHECK(last.columns[2] == "artist");
}

TEST_CASE("of a long text the rows with targets are read out", "[learn-text]") {
    std::string text = "a";
    for (int i = 0; i < 30; ++i) text += concat("+b", i);
    const Learned learned("heads=1&text=" + text + "&goal=pattern&target=1:20>4&steps=2");
    const std::vector<TextTable> tables = tables_of_view(learned.state, learned.evaluator);
    REQUIRE(tables.size() == 4);
    REQUIRE(tables.back().rows.size() == 1);
    CHECK(tables.back().rows.front().front() == "b19");
}

TEST_CASE("the table of next words has each position's loss and all probabilities", "[learn-text]") {
    const Learned learned("goal=next&d_out=8&steps=4&head=1");
    const std::vector<TextTable> tables = tables_of_view(learned.state, learned.evaluator);
    REQUIRE(tables.size() == 2 + 5);
    const TextTable& next = tables[1];
    CHECK(next.title.find("Their mean is the loss") != std::string::npos);
    REQUIRE(next.rows.size() == 11);
    CHECK(next.rows.front().front() == "0 The");
    CHECK(next.rows.front()[1] == "artist");
    const auto column = std::ranges::find(next.columns, "of artist") - next.columns.begin();
    CHECK(next.rows.front()[2] == next.rows.front()[static_cast<std::size_t>(column)]);
    CHECK(next.rows.back()[1] == "the end");
}

TEST_CASE("without a goal, or without a target, the view says what to do", "[learn-text]") {
    const Learned none("");
    const std::vector<TextTable> tables = tables_of_view(none.state, none.evaluator);
    REQUIRE(tables.size() == 1);
    CHECK(tables.front().title.starts_with("There is no goal yet. Paint targets on the maps"));
    CHECK(announcement_of(none.state, none.shown()) == tables.front().title);
    const PlaygroundState untaught = read_link("view=learn&goal=pattern").state;
    CHECK(no_goal_in_words(untaught.inputs).starts_with("No head was told where to look yet"));
}

TEST_CASE("the examples are legal links with a goal", "[learn-text]") {
    for (const LearnExample& example : kLearnExamples) {
        CAPTURE(example.link);
        const ReadLink read = read_link(example.link);
        CHECK(read.notes.empty());
        CHECK_FALSE(has_nothing_to_learn(read.state.inputs));
        Evaluator evaluator;
        const Evaluation& shown = evaluator.update(read.state);
        CHECK(shown.run->losses().back() < 0.2 * shown.run->losses().front());
    }
}

TEST_CASE("the view is announced by its loss", "[learn-text]") {
    const Learned learned("goal=pattern&target=1:10>1&steps=10");
    CHECK(announcement_of(learned.state, learned.shown()) ==
          concat("Step 10: the loss is ", shown_number(learned.shown().run->losses().back()), "."));
}

}  // namespace attn::test
