// The history of a text: undo gives back every text it went through, however many and whatever they are.
#include "playground/visit/history.h"

#include <catch_amalgamated.hpp>
#include <string>
#include <vector>

#include "playground/random_states.h"

using namespace attn;

TEST_CASE("a fresh history has nothing to undo and nothing to redo", "[history]") {
    History history("start");
    CHECK_FALSE(history.can_undo());
    CHECK_FALSE(history.can_redo());
    CHECK_FALSE(history.undo());
    CHECK_FALSE(history.redo());
    history.add("start");
    CHECK_FALSE(history.can_undo());
    CHECK(history.present() == "start");
}

TEST_CASE("undo and redo go the way that was gone", "[history]") {
    History history("d_in=8");
    history.add("d_in=16");
    history.add("d_in=16&heads=4");
    history.add("");
    REQUIRE(history.undo());
    CHECK(history.present() == "d_in=16&heads=4");
    REQUIRE(history.undo());
    CHECK(history.present() == "d_in=16");
    REQUIRE(history.redo());
    CHECK(history.present() == "d_in=16&heads=4");
    REQUIRE(history.redo());
    CHECK(history.present().empty());
    CHECK_FALSE(history.redo());
}

TEST_CASE("a step after an undo forgets what was undone", "[history]") {
    History history("a");
    history.add("ab");
    history.add("abc");
    history.undo();
    history.add("abX");
    CHECK_FALSE(history.can_redo());
    history.undo();
    CHECK(history.present() == "ab");
    history.redo();
    CHECK(history.present() == "abX");
}

TEST_CASE("after a random walk, undoing all leads to the start and redoing all to the end", "[history][property]") {
    test::Dice dice(7);
    for (int walk = 0; walk < 50; ++walk) {
        std::vector<std::string> texts = {dice.bytes(dice.below(40))};
        History history(texts.front());
        for (int step = 0; step < 200; ++step) {
            const int kind = dice.below(6);
            if (kind == 0 && texts.size() > 1) {
                REQUIRE(history.undo());
                texts.pop_back();
            } else {
                // Few different letters, so that texts often have much in common.
                std::string text = texts.back();
                const auto place = static_cast<std::size_t>(dice.below(static_cast<int>(text.size()) + 1));
                text = text.substr(0, place) + std::string(static_cast<std::size_t>(dice.below(4)), 'a') +
                       (kind < 4 ? text.substr(std::min(text.size(), place + 1)) : dice.bytes(dice.below(5)));
                if (text != texts.back()) texts.push_back(text);
                history.add(text);
            }
            REQUIRE(history.present() == texts.back());
        }
        texts.push_back(texts.back() + "end");
        history.add(texts.back());  // forgets what was undone
        for (std::size_t i = texts.size(); i-- > 0;) {
            REQUIRE(history.present() == texts[i]);
            REQUIRE(history.undo() == (i > 0));
        }
        for (std::size_t i = 0; i < texts.size(); ++i) {
            REQUIRE(history.present() == texts[i]);
            REQUIRE(history.redo() == (i + 1 < texts.size()));
        }
    }
}

TEST_CASE("a million steps are undone and redone", "[history]") {
    constexpr int kSteps = 1000000;
    const std::string start = "text=The+artist+painted+the+portrait&seed=";
    History history(start);
    for (int step = 1; step <= kSteps; ++step) history.add(start + std::to_string(step));
    int num_undone = 0;
    while (history.undo()) ++num_undone;
    CHECK(num_undone == kSteps);
    CHECK(history.present() == start);
    int num_redone = 0;
    while (history.redo()) ++num_redone;
    CHECK(num_redone == kSteps);
    CHECK(history.present() == start + std::to_string(kSteps));
}
