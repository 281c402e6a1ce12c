// view=softmax on the whole screen: numbers typed one by one or as a list.
#include "core/ground/check.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("a number of the vector can be typed over", "[softmax]") {
    Screen screen({1280, 800}, "view=softmax");
    screen.click("x=1");
    screen.type("0.75");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.vector == std::vector<float>{0.1F, 0.75F, 0.3F, -0.2F, 0.5F});
    screen.click("x=1");
    screen.type("abc");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.vector[1] == 0.75F);
    REQUIRE(screen.notes().size() == 1);
    CHECK(screen.notes()[0].find("is not a number that fits") != std::string::npos);
}

TEST_CASE("a whole list can be pasted, and numbers added and removed", "[softmax]") {
    Screen screen({1280, 800}, "view=softmax");
    screen.click("vector");
    screen.type("[1. 2. -3e-1]");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.vector == std::vector<float>{1, 2, -0.3F});
    screen.click("vector+");
    CHECK(screen.state().view.vector == std::vector<float>{1, 2, -0.3F, 0});
    for (int k = 0; k < 3; ++k) screen.click("vector-");
    CHECK(screen.state().view.vector == std::vector<float>{1});
    screen.click("vector-");  // one stays
    CHECK(screen.state().view.vector.size() == 1);
}

TEST_CASE("every length at every size comes to rest", "[softmax]") {
    std::string many = "0";
    for (int i = 1; i < 64; ++i) many += concat(",", i);
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(700, 900), ImVec2(390, 844)}) {
        for (const std::string& numbers : {std::string("1e30,-1e30"), std::string("0"), many}) {
            CAPTURE(size.x, numbers);
            Screen screen(size, concat("view=softmax&gain=20&vector=", numbers));
            CHECK(screen.has("softmax=0"));
            const int frames = screen.num_frames;
            screen.settle();
            CHECK(screen.num_frames == frames + 1);
        }
    }
}
