// The bar of the desktop program.
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("the sentence can be typed", "[top-bar]") {
    Screen screen({1280, 800});
    screen.click("text");
    screen.press_with_ctrl(ImGuiKey_A);
    screen.type("Grüße an 東京");
    CHECK(screen.state().inputs.texts[0] == "Grüße an 東京");
    CHECK(screen.evaluation().num_tokens() >= 3);
}

TEST_CASE("the page's own bar takes the place of the canvas's", "[top-bar]") {
    Screen screen({1280, 800});
    REQUIRE(screen.has("text"));
    screen.surroundings.page_shows_sentence = true;
    screen.settle();
    CHECK_FALSE(screen.has("text"));
    CHECK_FALSE(screen.has("theme"));
}

TEST_CASE("the theme button changes the theme and gives it back to the system", "[top-bar]") {
    Screen screen({1280, 800});
    screen.click("theme");
    CHECK(screen.state().view.theme == Theme::dark);
    screen.click("theme");
    CHECK(screen.state().view.theme == Theme::automatic);
    screen.surroundings.is_dark = true;
    screen.settle();
    screen.click("theme");
    CHECK(screen.state().view.theme == Theme::light);
}
