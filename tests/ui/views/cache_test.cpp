// view=cache on the screen: steps, the scrubber, what is thrown away.
#include "core/ground/check.h"
#include "playground/models/small_model.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("the cache is stepped, and drawn at every width", "[cache]") {
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(700, 800), ImVec2(360, 640)}) {
        for (const char* inputs : {"", "&text=one", "&mask=none&at=3", "&dropout=.3&at=2", "&init=none&d_out=8&at=1",
                                   "&prompt=11", "&tokens=chars&at=30", "&theme=dark&at=7"}) {
            CAPTURE(size.x, inputs);
            Screen screen(size, concat("view=cache", inputs));
            screen.settle();
            CHECK(screen.has("cache=step"));
        }
    }
}

TEST_CASE("one token on, one back, back to the prompt", "[cache]") {
    Screen screen({1280, 800}, "view=cache&prompt=4");
    screen.click("cache=step");
    screen.click("cache=step");
    CHECK(screen.state().view.at == 2);
    screen.click("cache=back");
    CHECK(screen.state().view.at == 1);
    screen.click("prompt+");
    CHECK(screen.state().view.prompt == 5);
    screen.click("cache=again");
    CHECK(screen.state().view.at == 0);
}

TEST_CASE("with reduced motion play goes to the end at once", "[cache]") {
    Screen screen({1280, 800}, "view=cache&prompt=4");
    screen.surroundings.reduces_motion = true;
    screen.click("cache=play");
    CHECK(screen.state().view.at == 7);
}

TEST_CASE("playing takes a token after another, and a press stops it", "[cache]") {
    Screen screen({1280, 800}, "view=cache&prompt=7");
    const auto play_until = [&](int at) {
        for (int frames = 0; frames < 2000 && screen.state().view.at < at; ++frames) screen.frame();
        return screen.state().view.at;
    };
    const auto press_play = [&] { screen.press_while_moving("cache=play"); };
    press_play();
    CHECK(screen.state().view.at < 2);
    CHECK(play_until(2) == 2);
    press_play();
    for (int frames = 0; frames < 200; ++frames) screen.frame();
    CHECK(screen.state().view.at == 2);
    press_play();
    CHECK(play_until(4) == 4);
    screen.settle();
    CHECK(screen.state().view.at == 4);
}

TEST_CASE("at the end play starts over", "[cache]") {
    Screen screen({1280, 800}, "view=cache&prompt=9&at=2");
    REQUIRE(screen.state().view.at == 2);
    screen.press_while_moving("cache=play");
    CHECK(screen.state().view.at < 2);
    for (int frames = 0; frames < 2000 && screen.state().view.at < 2; ++frames) screen.frame();
    CHECK(screen.state().view.at == 2);
    screen.surroundings.reduces_motion = true;
    screen.click("cache=play");
    CHECK(screen.state().view.at == 0);
}

TEST_CASE("the memory meter is one press away", "[cache]") {
    for (const ImVec2 size : {ImVec2(1440, 844), ImVec2(1280, 744), ImVec2(390, 788)}) {
        CAPTURE(size.x);
        Screen screen(size, "view=cache");
        CHECK(screen.at("length+").is_clipped);
        if (screen.at("cache=meter").is_clipped) screen.scroll_to("cache=meter");
        screen.click("cache=meter");
        CHECK_FALSE(screen.at("length+").is_clipped);
    }
}

TEST_CASE("the steps stay in sight while the picture scrolls", "[cache]") {
    Screen screen({360, 640}, "view=cache&prompt=4&at=3");
    const float top = screen.at("cache=step").min.y;
    screen.point_at({180, 500});
    screen.scroll_to("card+");
    CHECK(screen.at("cache=step").min.y == top);
    CHECK_FALSE(screen.at("cache=step").is_clipped);
}

TEST_CASE("a locked step cannot be taken", "[cache]") {
    Screen screen({1280, 800}, "view=cache&prompt=4&lock=at");
    screen.click("cache=step");
    CHECK(screen.state().view.at == 0);
}

TEST_CASE("the next word is said, and only its rows are new", "[cache]") {
    Screen screen(
        {1280, 800},
        "view=cache&text=the+cat+sat+the+cat&pos=none&d_in=8&d_out=8&heads=2&goal=next&optimizer=adam&rate=0.05"
        "&steps=300&prompt=3&at=1");
    screen.settle();
    screen.click("cache=say");
    CHECK(screen.state().inputs.texts[0] == "the cat sat the cat sat");
    CHECK(screen.state().view.at == 3);
    CHECK(screen.state().inputs.steps == 0);
    screen.settle();
    screen.click("cache=say");
    CHECK(screen.state().inputs.texts[0] == "the cat sat the cat sat the");
    CHECK(screen.state().view.at == 4);
}

TEST_CASE("without the goal and without a trained model no word is said", "[cache]") {
    Screen screen({1280, 800}, "view=cache");
    screen.settle();
    CHECK_FALSE(screen.has("cache=say"));
    CHECK_FALSE(screen.has("next=say"));
}

TEST_CASE("a trained model's next word is the cache's next token, the same one as in view=model", "[cache][model]") {
    const attn::test::ModelIsOpen model(attn::test::small_model());
    const auto said = [](const char* view) {
        Screen screen({1280, 1600}, concat("text=the+artist&model=small&layer=2&next_seed=3&prompt=2&view=", view));
        screen.settle();
        for (int i = 0; i < 3; ++i) screen.click("next=say");
        CHECK(screen.state().view.said == 3);
        return screen.state();
    };
    const PlaygroundState state = said("cache");
    CHECK(state.inputs.texts == said("model").inputs.texts);
    CHECK(state.view.at == 3);  // one token after the other
    CHECK(state.view.prompt == 2);
}

TEST_CASE("a trained model writes on token by token, until it is stopped", "[cache][model]") {
    const attn::test::ModelIsOpen model(attn::test::small_model());
    Screen screen({1280, 800}, "text=the+artist&model=small&layer=2&prompt=2&view=cache");
    screen.settle();
    const auto write_until = [&](int at) {
        for (int frames = 0; frames < 2000 && screen.state().view.at < at; ++frames) screen.frame();
        return screen.state().view.at;
    };
    screen.press_while_moving("next=write");
    CHECK(write_until(2) == 2);
    screen.press_while_moving("next=write");
    const int stopped_at = screen.state().view.at;
    for (int frames = 0; frames < 200; ++frames) screen.frame();
    CHECK(screen.state().view.at == stopped_at);

    screen.press_while_moving("next=write");
    write_until(1000);  // up to its last position
    CHECK(screen.evaluation().num_tokens() == attn::test::small_model()->shape().max_tokens);
    screen.settle();
    CHECK_FALSE(screen.has("next=say"));

    screen.state().inputs.texts = {"the artist"};  // room again: it goes on when it is asked to
    screen.settle();
    for (int frames = 0; frames < 200; ++frames) screen.frame();
    CHECK(screen.state().inputs.texts[0] == "the artist");
    CHECK(screen.has("next=say"));
}

TEST_CASE("where the sentence is locked a trained model says nothing", "[cache][model]") {
    const attn::test::ModelIsOpen model(attn::test::small_model());
    Screen screen({1280, 800}, "text=the+artist&model=small&view=cache&lock=text");
    screen.settle();
    const auto before = screen.state().inputs.texts;
    screen.click("next=say");
    CHECK(screen.state().inputs.texts == before);
}

TEST_CASE("Check me asks for one count after another", "[cache][check]") {
    Screen screen({1280, 800}, "view=cache&prompt=6&at=3&heads=4&d_out=8");
    screen.settle();
    screen.click("check");
    CHECK(screen.state().view.asks_counts);
    const auto answer = [&](const char* name, const char* number) {
        screen.click(name);
        screen.type(number);
        screen.press(ImGuiKey_Enter);
        screen.settle();
    };
    answer("count answer 1", "30");
    CHECK(screen.state().view.score == Score{.right = 0, .asked = 1, .hints = 0});
    answer("count answer 1", "9");
    CHECK(screen.state().view.score == Score{.right = 0, .asked = 1, .hints = 0});
    screen.click("count next");
    screen.click("count hint");
    answer("count answer 2", "30");
    CHECK(screen.state().view.score == Score{.right = 1, .asked = 2, .hints = 1});
    screen.click("count next");
    screen.click("count show");
    CHECK(screen.state().view.score == Score{.right = 1, .asked = 3, .hints = 1});
    screen.click("check");
    CHECK_FALSE(screen.state().view.asks_counts);
}

TEST_CASE("the next step of a lesson throws nothing away that is news", "[cache][lessons]") {
    const auto top = [](Screen& screen) { return screen.at("length+").min.y; };
    const float wanted = [&] {
        Screen fresh({1280, 2000}, "lesson=cache&step=7");
        fresh.settle();
        return top(fresh);
    }();
    Screen walked({1280, 2000}, "lesson=cache&step=6");
    walked.click("step+");
    walked.settle();
    CHECK(top(walked) == wanted);
    walked.state().inputs.seed = 5;  // this is
    walked.settle();
    CHECK(top(walked) > wanted);
}
