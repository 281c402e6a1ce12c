// Which steps were seen, kept across visits.
#include "ui/lessons/lesson_visits.h"

#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("the steps that were seen are written down and read again", "[lessons]") {
    const VisitedSteps steps = {{"causal", {0, 2}}, {"heads", {1}}};
    CHECK(write_visited(steps) == "causal=1 causal=3 heads=2");
    VisitedSteps again;
    add_visited(again, write_visited(steps));
    CHECK(again == steps);
    CHECK(write_visited({}).empty());
}

TEST_CASE("what names no step of a lesson is left out", "[lessons][bad-input]") {
    VisitedSteps steps;
    add_visited(steps,
                "causal=0 causal=999 causal=-1 causal= causal =1 nothing=1 causal=1x causal=99999999999 = heads");
    CHECK(steps.empty());
    add_visited(steps, "  causal=2  causal=2 ");
    CHECK(write_visited(steps) == "causal=2");
}

TEST_CASE("steps of earlier visits count beside those of this one", "[lessons]") {
    Screen screen({1280, 800}, "lesson=heads&step=2");
    screen.ui().add_visited_steps("causal=3 heads=1");
    CHECK(screen.ui().visited_steps() == "causal=3 heads=1 heads=2");
}
