// One clock for what plays by itself: one thing at a time, steps when they are due, and an end when the view is left.
#include "ui/frame/play_clock.h"

#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("a step is due when its seconds have passed, and starting one thing stops the other", "[playing]") {
    PlayClock clock;
    PlaygroundState state;
    CHECK_FALSE(clock.plays_something());
    clock.start(Playing::cache, state, 0.5F);
    CHECK_FALSE(clock.is_due(0.25F));
    CHECK(clock.is_due(0.25F));
    state.view.at = 1;
    clock.took_step(state, 1);
    CHECK(clock.played() == state);
    CHECK_FALSE(clock.is_due(0.75F));
    clock.start(Playing::training, state, 0);
    CHECK_FALSE(clock.plays(Playing::cache));
    clock.stop(Playing::cache);  // what does not play
    CHECK(clock.plays(Playing::training));
    CHECK(clock.is_due(0));
    clock.stop(Playing::training);
    CHECK_FALSE(clock.plays_something());
}

TEST_CASE("training and the cache's tokens do not play at the same time", "[playing][cache][learn]") {
    Screen screen({1280, 800}, "view=cache&prompt=4&goal=pattern&target=1:3>1");
    screen.press_while_moving("cache=play");
    screen.press_while_moving("play");
    const int at = screen.state().view.at;
    for (int frames = 0; frames < 60; ++frames) screen.frame();
    CHECK(screen.state().view.at == at);
    const int steps = screen.state().inputs.steps;
    CHECK(steps > 50);
    screen.press_while_moving("cache=play");
    const int stopped = screen.state().inputs.steps;
    for (int frames = 0; frames < 120; ++frames) screen.frame();
    CHECK(screen.state().inputs.steps == stopped);
    CHECK(screen.state().view.at > at);
}

TEST_CASE("what plays in a view stops when the view is left", "[playing][cache]") {
    Screen screen({1280, 800}, "view=cache&prompt=4");
    screen.press_while_moving("cache=play");
    REQUIRE(screen.ui().is_playing());
    screen.state().view.view = ViewKind::matrix;
    screen.frame();
    CHECK_FALSE(screen.ui().is_playing());
    screen.settle();
}
