// The state B beside the one that view=model shows: its next words and votes, by the words of A.
#include "views/model/other_picture.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "views/model/shown_model.h"

namespace attn::test {
namespace {

constexpr const char* kLinkOfA = "text=the+artist+painted+the+portrait&model=small&layer=2&view=model";

PlaygroundState state_of_link(std::string_view link) {
    return read_link(link).state;
}

// The state of the first link with that of the second beside it.
PlaygroundState beside_other(std::string_view a, std::string_view b) {
    PlaygroundState state = state_of_link(a);
    state.view.compare = link_as_other(state_of_link(b));
    return state;
}

TextTable table_of(const PlaygroundState& state, std::string_view beginning) {
    for (const TextTable& table : tables_of_model(state, Evaluator())) {
        if (table.title.starts_with(beginning)) return table;
    }
    FAIL("no table " << beginning);
    return {};
}

std::size_t column_of(const TextTable& table, std::string_view name) {
    const auto found = std::ranges::find(table.columns, name);
    REQUIRE(found != table.columns.end());
    return static_cast<std::size_t>(found - table.columns.begin());
}

double number_of(std::string text) {
    const bool is_negative = text.starts_with("−");
    if (is_negative) text.erase(0, std::string_view("−").size());
    return (is_negative ? -1 : 1) * std::stod(text);
}

}  // namespace

TEST_CASE("next words and votes of B stand beside those of A, with the difference", "[model-view][compare]") {
    const ModelIsOpen model(small_model("small"));
    const std::string link_of_b =
        GENERATE("text=a+woman+with+a+brush&model=small", "text=the+artist+painted+the+portrait&model=small&off=2:1",
                 "text=the+artist+painted+the+portrait&model=small&edit=2.w_query[0,0]=0.9");
    CAPTURE(link_of_b);
    const PlaygroundState state = beside_other(kLinkOfA, link_of_b);
    const TextTable next = table_of(state, "The next word");
    const TextTable votes = table_of(state, "Who voted for");
    CHECK(table_of(state, "B: ").rows.empty());

    PlaygroundState b = state_of_link(link_of_b);
    b.inputs.layer = 1;
    b.view.word = next.rows[0][0];  // the most probable word of A
    for (const auto& [beginning, shown] : {std::pair("The next word", next), std::pair("Who voted for", votes)}) {
        const TextTable there = table_of(b, beginning);
        const std::size_t in_b = column_of(shown, "in B"), difference = column_of(shown, "A minus B");
        int num_compared = 0;
        for (const std::vector<std::string>& row : shown.rows) {
            if (row[1] == "none" || row[in_b] == "none") continue;
            CHECK(std::abs(number_of(row[difference]) - (number_of(row[1]) - number_of(row[in_b]))) < 1.51e-4);
            for (const std::vector<std::string>& same : there.rows) {
                const bool is_same = same[0] == row[0] || same[0] == row[0] + ", off";
                if (!is_same) continue;
                CHECK(same[1] == row[in_b]);
                ++num_compared;
            }
        }
        CHECK(num_compared >= 6);
    }
}

TEST_CASE("of a long sentence the end of B is said, which next words depend on", "[model-view][compare]") {
    const ModelIsOpen model(small_model("small"));
    const std::string begin = "text=the+artist+painted+the+portrait+of+a+woman+with+a+";
    const PlaygroundState state = beside_other(begin + "brush&model=small&view=model", begin + "hat&model=small");
    CHECK(tables_of_model(state, Evaluator())[1].title.find("with a hat") != std::string::npos);
    const PlaygroundState same = beside_other(begin + "brush&model=small&view=model", begin + "brush&model=small");
    CHECK(tables_of_model(same, Evaluator())[1].title == "B is the same as A");
}

TEST_CASE("the table for spreadsheets has B in the same lines, by another name", "[model-view][compare]") {
    const ModelIsOpen model(small_model("small"));
    constexpr const char* kLinkOfB = "text=a+woman+with+a+brush&model=small&layer=2";
    const PlaygroundState a = state_of_link(kLinkOfA);
    PlaygroundState b = state_of_link(kLinkOfB);
    b.view.word = table_of(a, "The next word").rows[0][0];
    std::string wanted = *csv_of_model(a);
    const std::string lines = *csv_of_model(b);
    for (std::size_t at = lines.find('\n') + 1; at < lines.size(); at = lines.find('\n', at) + 1)
        wanted += "other " + lines.substr(at, lines.find('\n', at) + 1 - at);
    CHECK(*csv_of_model(beside_other(kLinkOfA, kLinkOfB)) == wanted);
}

TEST_CASE("a B without a model that is open says so, and A is shown as before", "[model-view][compare]") {
    const ModelIsOpen model(small_model("small"));
    const PlaygroundState state = beside_other(kLinkOfA, "text=the+artist&seed=7");
    const std::vector<TextTable> tables = tables_of_model(state, Evaluator());
    CHECK(tables[1].title.ends_with("B has no model that is open."));
    const PlaygroundState alone = state_of_link(kLinkOfA);
    CHECK(table_of(state, "The next word").columns == table_of(alone, "The next word").columns);
    CHECK(*csv_of_model(state) == *csv_of_model(alone));
}

TEST_CASE("models with other words are compared by the words that both know", "[model-view][compare]") {
    const ModelIsOpen model(small_model("small"));
    std::string words = kSmallTokenizer;
    words.replace(words.find("\"hat\""), 5, "\"cap\"");
    const ModelIsOpen other(opened_model(small_model_files(random_gpt2(), words), "other"));
    PlaygroundState state = beside_other(kLinkOfA, "text=the+artist+painted+the+portrait&model=other");
    state.view.word = "hat";
    const TextTable next = table_of(state, "The next word");
    const std::size_t in_b = column_of(next, "in B");
    for (const std::vector<std::string>& row : next.rows) {
        if (row[0] == "hat") {
            CHECK(row[in_b] == "no such word");
        } else {
            CHECK(row[in_b] == row[1]);  // the same numbers under the same words
        }
    }
    CHECK(table_of(state, "Who voted for “hat”").columns.size() == 2);
    state.view.word = "artist";
    CHECK(table_of(state, "Who voted for “artist”").columns.size() == 4);
}

}  // namespace attn::test
