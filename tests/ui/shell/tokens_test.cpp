// The token chips.
#include "core/ground/check.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("a token pins its row and lets it go again", "[tokens]") {
    Screen screen({1280, 800});
    screen.click("token=7");
    CHECK(screen.state().view.cell == Cell{.head = 0, .row = 7, .column = 7});
    screen.click("token=7");
    CHECK_FALSE(screen.state().view.cell.has_value());
}

TEST_CASE("two thousand tokens cost no more than those in sight", "[tokens]") {
    std::string link = "text=";
    for (int i = 0; i < 2048; ++i) link += concat("word", i, "+");
    Screen screen({1280, 800}, link);
    REQUIRE(screen.evaluation().num_tokens() == 2048);
    int num_chips = 0;
    for (const UiItem& item : screen.items()) num_chips += item.name.starts_with("token=") ? 1 : 0;
    CHECK(num_chips > 10);
    CHECK(num_chips < 100);
    screen.state().view.cell = Cell{.head = 0, .row = 2000, .column = 0};
    screen.settle();
    CHECK(screen.has("token=2000"));
    CHECK_FALSE(screen.at("token=2000").is_clipped);
    CHECK_FALSE(screen.has("token=0"));
}

TEST_CASE("the sentences of a batch are shown one at a time", "[tokens]") {
    Screen screen({1280, 800}, "text=one&text=two+words&text=now+three+words");
    REQUIRE(screen.evaluation().num_tokens() == 1);
    screen.click("sentence+");
    CHECK(screen.evaluation().num_tokens() == 2);
    screen.click("sentence+");
    screen.click("sentence+");
    CHECK(screen.evaluation().num_tokens() == 3);
    screen.click("sentence-");
    CHECK(screen.state().view.sentence == 1);
}

TEST_CASE("a sentence that is written from the right begins at the right", "[tokens]") {
    const char* link = GENERATE("text=שלום עולם אני כאן", "text=مرحبا بالعالم أنا هنا");
    Screen screen({1280, 800}, link);
    CHECK(screen.at("token=0").max.x > 1230);
    CHECK(screen.at("token=0").min.x > screen.at("token=1").max.x);
    CHECK(screen.at("token=3").min.x > 640);
    screen.state().inputs.texts = {"hello world"};
    screen.settle();
    CHECK(screen.at("token=0").max.x < screen.at("token=1").min.x);
}
