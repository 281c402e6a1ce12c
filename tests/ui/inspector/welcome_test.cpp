// The first screen: its words, what they offer, and when they are gone.
#include "playground/lessons/lessons.h"
#include "playground/link/state_url.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("the first screen says what it shows, until that is put away", "[welcome]") {
    Screen screen({1280, 800});
    REQUIRE(screen.has("welcome=read"));
    CHECK_FALSE(screen.state().view.cell);  // nothing is pinned behind the visitor's back
    const float top = screen.at("map=1").min.y;
    screen.click("welcome=read");
    CHECK_FALSE(screen.has("welcome=read"));
    CHECK(screen.at("map=1").min.y < top);
    screen.click("mask=none");
    screen.click("mask=causal");
    CHECK_FALSE(screen.has("welcome=read"));
}

TEST_CASE("a state that somebody chose shows no introduction", "[welcome]") {
    const char* link = GENERATE("heads=4&d_out=8", "mask=none", "lesson=causal", "hide=settings", "lock=heads",
                                "stage=scores", "view=lines", "check=weights", "text=");
    CAPTURE(link);
    Screen screen({1280, 800}, link);
    CHECK_FALSE(screen.has("welcome=read"));
}

TEST_CASE("a sentence of one's own, or a pinned number, moves nothing", "[welcome]") {
    Screen screen({1280, 800});
    const float top = screen.at("map=1").min.y;
    const UiItem map = screen.at("map=1");
    screen.click(ImVec2(map.min.x + 5, map.max.y - 5));  // the last row's first cell
    CHECK(screen.state().view.cell.has_value());
    CHECK(screen.at("map=1").min.y == top);
    screen.state().inputs.texts = {"The cat sat"};
    screen.settle();
    CHECK(screen.has("welcome=read"));
}

TEST_CASE("the examples, the first lesson and the beginning are a click away", "[welcome]") {
    Screen screen({1280, 800});
    for (const char* name : {"try=0", "try=1", "try=2"}) {
        const std::vector<std::string> before = screen.state().inputs.texts;
        screen.click(name);
        CHECK(screen.state().inputs.texts != before);
        CHECK(screen.evaluation().notes.empty());
    }
    screen.rest();  // what follows is a step of its own
    screen.click("try=over");
    CHECK(write_link(screen.state()) == write_link(PlaygroundState{}));
    screen.click("undo");
    CHECK(screen.state().inputs.texts.front().starts_with("The animal"));
    screen.click("redo");
    screen.click("try=lesson");
    CHECK(screen.state().view.lesson == lessons().front().name);
}

TEST_CASE("a head that learns is a click away", "[welcome]") {
    Screen screen({1280, 800});
    screen.click("try=learn");
    CHECK(screen.state().inputs.goal == GoalKind::pattern);
    CHECK(screen.evaluation().notes.empty());
}

TEST_CASE("the empty panel shows what one click gives", "[welcome]") {
    const char* link = GENERATE("", "stage=queries", "stage=scores", "stage=embeddings", "stage=output");
    CAPTURE(link);
    Screen screen({1280, 800}, link);
    screen.click("example");
    REQUIRE(screen.state().view.cell);
    CHECK(screen.state().view.cell->row == 10);
    CHECK_FALSE(screen.has("example"));
}

TEST_CASE("no example is given of numbers that are hidden or asked for", "[welcome]") {
    const char* link = GENERATE("hide=values", "check=weights", "text=");
    CAPTURE(link);
    Screen screen({1280, 800}, link);
    CHECK_FALSE(screen.has("example"));
}

TEST_CASE("a phone has the words in its sheet", "[welcome]") {
    Screen screen({360, 583});
    screen.surroundings.page_shows_sentence = true;
    screen.surroundings.is_touch = true;
    screen.settle();
    CHECK_FALSE(screen.has("welcome=read"));
    screen.click("inspector");
    CHECK(screen.has("try=0"));
    screen.click("try=0");
    CHECK(screen.state().inputs.texts.front().starts_with("Your journey"));
}
