// view=dots on the whole screen.
#include "core/ground/check.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("the experiment is drawn at every size, and comes to rest", "[dots]") {
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(700, 900), ImVec2(390, 844), ImVec2(360, 480)}) {
        for (const char* link : {"view=dots", "view=dots&text=a", "view=dots&init=none&d_in=4&d_out=4",
                                 "view=dots&heads=2&head=2&tokens=chars&pairs_dim=1"}) {
            CAPTURE(size.x, link);
            Screen screen(size, link);
            CHECK(screen.has("pairs"));
            CHECK(screen.has("slider=pairs_dim"));
            const int frames = screen.num_frames;
            screen.settle();
            CHECK(screen.num_frames == frames + 1);
        }
    }
}

TEST_CASE("many pairs are drawn over several frames, and the controls are keys of the link", "[dots]") {
    Screen screen({1280, 800}, "view=dots&pairs=5000");
    CHECK(screen.num_frames >= 10);
    screen.click("pairs+");
    CHECK(screen.state().view.pairs == 10000);
    screen.click("pairs-");
    CHECK(screen.state().view.pairs == 5000);
    screen.click("pairs_seed+");
    CHECK(screen.state().view.pairs_seed == 124);
    screen.click("pairs_dim-");
    CHECK(screen.state().view.pairs_dim == 63);
}

TEST_CASE("the rows are those of the chosen head", "[dots]") {
    Screen screen({1280, 800}, "view=dots&pairs=20&heads=2");
    screen.point_at("slider=pairs_dim");
    screen.scroll_to("head+");
    screen.click("head+");
    CHECK(screen.state().view.head == 1);
    CHECK_FALSE(screen.has("inspector"));
}
