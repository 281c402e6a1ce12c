// The performance card: it asks for a measurement, shows it, and asks again when there are other numbers.
#include "ui/settings/performance.h"

#include "core/ground/check.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

double seconds = 0;

double ticking_clock() {
    return seconds += 1e-3;  // a look
}

// Answers as main does. Returns how often the panels asked.
int answer(Screen& screen) {
    int count = 0;
    for (const UiRequest& request : screen.take_requests()) {
        if (request.kind != UiRequest::Kind::measure) continue;
        ++count;
        screen.ui().show_performance(measure_performance(screen.evaluation(), {}, ticking_clock));
        screen.settle();
    }
    return count;
}

void open_performance(Screen& screen) {
    screen.take_requests();
    if (screen.has("settings")) screen.click("settings");
    if (screen.at("performance").is_clipped) {
        screen.point_at({screen.has("settings") ? screen.size().x - 60 : 60, screen.size().y / 2});
        screen.scroll_to("performance");
    }
    screen.click("performance");
    REQUIRE(screen.has("performance=close"));
}

}  // namespace

TEST_CASE("the card asks once and shows what was measured, in every layout", "[performance-panel]") {
    const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(700, 800), ImVec2(390, 844));
    Screen screen(size);
    screen.surroundings.is_touch = size.x < 600;
    screen.settle();
    open_performance(screen);
    CHECK_FALSE(screen.has("measure"));
    CHECK(answer(screen) == 1);
    screen.settle();
    CHECK(answer(screen) == 0);
    REQUIRE(screen.has("measure"));
    CHECK_FALSE(screen.at("measure").is_clipped);
    screen.click("measure");
    CHECK(answer(screen) == 1);
    screen.click("performance=close");
    CHECK_FALSE(screen.has("measure"));
}

TEST_CASE("other numbers are measured again, and so is each visit", "[performance-panel]") {
    Screen screen;
    open_performance(screen);
    CHECK(answer(screen) == 1);
    screen.state().inputs.seed = 7;
    screen.settle();
    CHECK(answer(screen) == 1);
    screen.press(ImGuiKey_Escape);
    CHECK_FALSE(screen.has("measure"));
    screen.state().inputs.seed = 8;
    screen.settle();
    CHECK(answer(screen) == 0);
    open_performance(screen);
    CHECK(answer(screen) == 1);
}

TEST_CASE("an empty sentence has nothing to measure", "[performance-panel]") {
    Screen screen({1280, 800}, "text=");
    open_performance(screen);
    CHECK(answer(screen) == 0);
}

TEST_CASE("the card can be left out", "[performance-panel]") {
    Screen screen({1280, 800}, "hide=performance");
    CHECK_FALSE(screen.has("performance"));
    CHECK(screen.has("about"));
}
