// view=stacked and view=cost have nothing to press: they are drawn, for every kind of input, and come to rest.
#include "core/ground/check.h"
#include "playground/state/words.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("stacked heads and costs are drawn at every width", "[stacked][cost]") {
    for (const ImVec2 size : {ImVec2(1440, 900), ImVec2(700, 800), ImVec2(390, 844)}) {
        for (const char* view : {"stacked", "cost"}) {
            for (const char* inputs : {"", "&text=one", "&heads=12&d_out=48", "&d_out=64&heads=1", "&heads=1&d_out=1",
                                       "&init=none&d_out=8", "&bias=1&dropout=.3", "&out=0"}) {
                CAPTURE(size.x, view, inputs);
                Screen screen(size, concat("view=", view, inputs));
                const int before = screen.num_frames;
                screen.settle();
                CHECK(screen.num_frames == before + 1);
            }
        }
    }
}

TEST_CASE("they follow the settings", "[stacked][cost]") {
    Screen screen({1280, 800}, "view=stacked");
    screen.click("heads+");
    CHECK(screen.state().inputs.num_heads == 4);
    screen.click("mask=none");
    CHECK(screen.state().view.view == ViewKind::stacked);
}

TEST_CASE("the views without a stage of their own are tabs or stand in the list", "[stacked][cost]") {
    Screen screen({1280, 800});
    for (const char* view : {"view=split", "view=stacked", "view=cost"}) {
        CAPTURE(view);
        if (!screen.has(view)) screen.click("views");
        screen.click(view);
        CHECK(concat("view=", word_of(kViewWords, screen.state().view.view)) == view);
    }
}

TEST_CASE("contexts that a link leaves out are question marks on the screen, too", "[stacked]") {
    const std::string stacked = "view=stacked&text=one+two+three&d_out=6&heads=3";
    const auto corners_of = [](const std::string& link) { return Screen({1280, 800}, link).corners_in("stacked"); };
    const auto numbers = corners_of(stacked);
    const auto blanks = corners_of(stacked + "&hide=stage.context");
    REQUIRE(blanks.size() > 100);
    CHECK(blanks.size() < numbers.size());
    CHECK_FALSE((corners_of(stacked + "&mask=none") == numbers));
    CHECK((corners_of(stacked + "&mask=none&hide=stage.context") == blanks));  // they are the same for any contexts
}
