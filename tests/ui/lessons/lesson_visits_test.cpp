// Which steps were seen, kept across visits.
#include "ui/lessons/lesson_visits.h"

#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("the steps that were seen are written down and read again", "[lessons]") {
    const VisitedSteps steps = {{"causal", {0, 2}}, {"heads", {1}}};
    CHECK(write_visited(steps, {}) == "causal=1 causal=3 heads=2");
    VisitedSteps again;
    add_visited(again, write_visited(steps, {}));
    CHECK(again == steps);
    CHECK(write_visited({}, {}).empty());
}

TEST_CASE("the step where the visitor left off is the last one", "[lessons]") {
    const VisitedSteps steps = {{"causal", {0, 2}}, {"heads", {1}}};
    const LessonPlace last = {.lesson = "causal", .step = 0};
    CHECK(write_visited(steps, last) == "causal=3 heads=2 causal=1");
    VisitedSteps again;
    CHECK(add_visited(again, write_visited(steps, last)) == last);
    CHECK(again == steps);
}

TEST_CASE("what names no step of a lesson is left out", "[lessons][bad-input]") {
    VisitedSteps steps;
    add_visited(steps,
                "causal=0 causal=999 causal=-1 causal= causal =1 nothing=1 causal=1x causal=99999999999 = heads");
    CHECK(steps.empty());
    add_visited(steps, "  causal=2  causal=2 ");
    CHECK(write_visited(steps, {}) == "causal=2");
}

TEST_CASE("steps of earlier visits count beside those of this one", "[lessons]") {
    Screen screen({1280, 800}, "lesson=heads&step=2");
    screen.ui().add_visited_steps("causal=3 heads=1");
    CHECK(screen.ui().visited_steps() == "causal=3 heads=1 heads=2");
}

TEST_CASE("the list marks where the last visit left off, and goes on there", "[lessons]") {
    Screen screen;
    screen.ui().add_visited_steps("heads=1 causal=2 causal=3");
    screen.click("lessons");
    CHECK_FALSE(screen.at("lesson=causal").is_clipped);
    const float marked = screen.at("lesson=causal").max.y - screen.at("lesson=causal").min.y;
    CHECK(marked > screen.at("lesson=scaling").max.y - screen.at("lesson=scaling").min.y);  // one line more
    ImGui::GetCurrentContext()->NavId = screen.at("lesson=causal").id;
    ImGui::SetNavCursorVisible(true);
    screen.frame();
    CHECK(screen.ui().focus_words().find("you left off at step 3") != std::string::npos);
    screen.click("lesson=causal");
    CHECK(screen.state().view.lesson == "causal");
    CHECK(screen.state().view.step == 2);
}

TEST_CASE("a later lesson of the list is in sight where it is the one that was left", "[lessons]") {
    Screen screen;
    screen.ui().add_visited_steps("bertviz=2");
    screen.click("lessons");
    CHECK_FALSE(screen.at("lesson=bertviz").is_clipped);
}

TEST_CASE("this visit decides where the visitor left off", "[lessons]") {
    Screen screen({1280, 800}, "lesson=heads&step=2");
    screen.ui().add_visited_steps("causal=3");
    screen.click("lesson=leave");
    screen.click("lessons");
    screen.click("lesson=causal");
    CHECK(screen.state().view.step == 0);
}
