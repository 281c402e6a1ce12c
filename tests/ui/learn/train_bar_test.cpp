// The bar of training: play, pause, one step, back, start again, the scrubber, and what stops it.
#include <algorithm>

#include "core/ground/check.h"
#include "playground/link/other_link.h"
#include "playground/link/recipe_keys.h"
#include "playground/link/state_url.h"
#include "playground/numbers/digest.h"
#include "ui/learn/playing.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::string_view kPainted = "goal=pattern&target=1:10>1&optimizer=adam&rate=0.05";

std::string painted(std::string_view more = "") {
    return concat(kPainted, more);
}

// Frames until nothing plays. Returns the steps that each frame showed.
std::vector<int> play_to_end(Screen& screen) {
    std::vector<int> seen;
    while (screen.ui().is_playing()) {
        screen.frame();
        seen.push_back(screen.state().inputs.steps);
        REQUIRE(seen.size() < 2000);
    }
    screen.settle();
    return seen;
}

}  // namespace

TEST_CASE("playing takes one step a frame up to the end of the scrubber, and is one step back for undo", "[learn]") {
    Screen screen({1280, 800}, painted());
    screen.rest();
    screen.press_while_moving("play");
    REQUIRE(screen.ui().is_playing());
    const int before = screen.state().inputs.steps;
    screen.frame();
    CHECK(screen.state().inputs.steps == before + 1);
    CHECK(screen.ui().wants_another_frame());
    const std::vector<int> seen = play_to_end(screen);
    for (std::size_t n = 1; n + 1 < seen.size(); ++n) CHECK(seen[n] == std::min(seen[n - 1] + 1, 100));
    CHECK(screen.state().inputs.steps == 100);
    CHECK_FALSE(screen.ui().wants_another_frame());
    CHECK(digest_of(screen.state().inputs) == digest_of(read_link(painted("&steps=100")).state.inputs));
    screen.rest();
    screen.press_with_ctrl(ImGuiKey_Z);
    CHECK(screen.state().inputs.steps == 0);
    screen.press_with_ctrl(ImGuiKey_Y);
    CHECK(screen.state().inputs.steps == 100);
}

TEST_CASE("a press pauses, another goes on, and beyond the end the scrubber grows", "[learn]") {
    Screen screen({1280, 800}, painted("&steps=50"));
    screen.press_while_moving("play");
    screen.frame();
    screen.press_while_moving("play");
    CHECK_FALSE(screen.ui().is_playing());
    const int paused = screen.state().inputs.steps;
    CHECK(paused > 50);
    CHECK(paused < 100);
    screen.settle();
    CHECK(screen.state().inputs.steps == paused);
    screen.press_while_moving("play");
    play_to_end(screen);
    CHECK(screen.state().inputs.steps == 100);
    screen.click("speed=100");
    for (const int end : {200, 500, 1000, 2000}) {
        screen.press_while_moving("play");
        play_to_end(screen);
        CHECK(screen.state().inputs.steps == end);
    }
}

TEST_CASE("each speed takes its steps a frame", "[learn]") {
    for (const auto& [name, steps] : {std::pair("speed=10", 10), std::pair("speed=100", 100)}) {
        Screen screen({1280, 800}, painted("&steps=1001"));
        screen.click(name);
        screen.press_while_moving("play");
        const int before = screen.state().inputs.steps;
        screen.frame();
        CHECK(screen.state().inputs.steps == before + steps);
    }
    Screen screen({1280, 800}, painted("&steps=1001"));
    screen.click("speed=fast");
    screen.press_while_moving("play");
    const int before = screen.state().inputs.steps;
    screen.frame();
    CHECK(screen.state().inputs.steps > before + 100);  // this sentence costs little
}

TEST_CASE("of a long sentence no speed takes more steps than fit beside the picture in a frame", "[learn]") {
    std::string sentence = "the";
    for (int n = 1; n < 128; ++n) sentence += "+word";
    const std::string link = concat("text=", sentence, "&goal=pattern&target=1:10>1&rate=0.01&steps=1001");
    const auto steps_at = [&](std::string_view speed) {
        Screen screen({1280, 800}, link);
        screen.click(speed);
        screen.press_while_moving("play");
        const int before = screen.state().inputs.steps;
        screen.frame();
        return screen.state().inputs.steps - before;
    };
    const int fast = steps_at("speed=fast");
    CHECK(steps_at("speed=10") == 10);
    CHECK(fast < 100);
    CHECK(steps_at("speed=100") == fast);
}

TEST_CASE("whatever else is changed stops playing, and nothing is lost", "[learn][bad-input]") {
    const auto plays_on_after = [](void (*change)(Screen&)) {
        Screen screen({1280, 800}, painted());
        screen.press_while_moving("play");
        for (int n = 0; n < 5; ++n) screen.frame();
        REQUIRE(screen.ui().is_playing());
        change(screen);
        screen.frame();
        screen.frame();
        return screen.ui().is_playing();
    };
    CHECK(plays_on_after([](Screen&) {}));
    CHECK(plays_on_after([](Screen& screen) { screen.state().view.stage = TensorId::scores; }));
    CHECK_FALSE(plays_on_after([](Screen& screen) { screen.state().inputs.texts[0] += " again"; }));
    CHECK_FALSE(plays_on_after([](Screen& screen) { screen.state().inputs.texts[0].clear(); }));
    CHECK_FALSE(plays_on_after([](Screen& screen) { screen.state().inputs.rate = 0.1; }));
    CHECK_FALSE(plays_on_after([](Screen& screen) { screen.state().inputs.steps = 3; }));
    CHECK_FALSE(plays_on_after([](Screen& screen) { screen.state().inputs.goal = GoalKind::none; }));
    CHECK_FALSE(plays_on_after([](Screen& screen) { screen.state().view.hide = {"training"}; }));

    Screen screen({1280, 800}, painted());
    screen.press_while_moving("play");
    for (int n = 0; n < 5; ++n) screen.frame();
    screen.state().inputs.texts[0] = "The artist painted the portrait of a woman with a palette";
    screen.settle();
    CHECK(screen.state().inputs.steps >= 4);
    CHECK(screen.state().inputs.targets.size() == 1);
    CHECK(screen.evaluation().run->num_steps() == screen.state().inputs.steps);
}

TEST_CASE("one step, one back, and start again", "[learn]") {
    Screen screen({1280, 800}, painted());
    screen.click("play=step");
    screen.click("play=step");
    CHECK(screen.state().inputs.steps == 2);
    screen.click("play=back");
    CHECK(screen.state().inputs.steps == 1);
    screen.click("play=again");
    CHECK(screen.state().inputs.steps == 0);
    screen.click("play=back");
    CHECK(screen.state().inputs.steps == 0);
}

TEST_CASE("the scrubber goes back and forth over the steps, to the bits that training anew gives", "[learn]") {
    Screen screen({1280, 800}, painted("&steps=100"));
    const UiItem slider = screen.at("slider=steps");
    const float y = (slider.min.y + slider.max.y) / 2;
    screen.drag({slider.max.x - 8, y}, {slider.min.x + 60, y});
    const int back = screen.state().inputs.steps;
    CHECK(back > 5);
    CHECK(back < 50);
    CHECK(digest_of(screen.state().inputs) == digest_of(read_link(painted(concat("&steps=", back))).state.inputs));
    CHECK(screen.evaluation().run->num_steps() == back);
    CHECK(screen.evaluation().run->losses().size() == 101);
    screen.rest();
    screen.drag({slider.min.x + 60, y}, {slider.max.x, y});
    CHECK(screen.state().inputs.steps == 100);
    screen.rest();
    screen.press_with_ctrl(ImGuiKey_Z);  // a drag is one step
    CHECK(screen.state().inputs.steps == back);
}

TEST_CASE("Space plays and pauses, the arrow keys step", "[learn][keyboard]") {
    Screen screen({1280, 800}, painted());
    const auto walk_to = [&](std::string_view name) {
        for (int k = 0; k < 400 && ImGui::GetCurrentContext()->NavId != screen.at(name).id; ++k)
            screen.press(ImGuiKey_Tab);
        REQUIRE(ImGui::GetCurrentContext()->NavId == screen.at(name).id);
    };
    walk_to("slider=steps");
    screen.press(ImGuiKey_Enter);
    screen.press(ImGuiKey_RightArrow);
    screen.press(ImGuiKey_RightArrow);
    CHECK(screen.state().inputs.steps == 2);
    CHECK(screen.ui().focus_words() == "step 2 of 100, moved by the arrows");
    screen.press(ImGuiKey_LeftArrow);
    CHECK(screen.state().inputs.steps == 1);
    walk_to("play");
    CHECK(screen.ui().focus_words() == "Train");
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Space, true);
    screen.frame();
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Space, false);
    screen.frame();
    screen.frame();
    CHECK(screen.ui().is_playing());
    CHECK(screen.ui().focus_words() == "Pause");
    screen.press(ImGuiKey_Space);
    CHECK_FALSE(screen.ui().is_playing());
    CHECK(screen.state().inputs.steps > 1);
}

TEST_CASE("under reduced motion nothing plays: Train takes all steps at once", "[learn]") {
    Screen screen({1280, 800}, painted());
    screen.surroundings.reduces_motion = true;
    screen.click("play");
    CHECK_FALSE(screen.ui().is_playing());
    CHECK(screen.state().inputs.steps == 100);
    screen.click("play=step");
    CHECK(screen.state().inputs.steps == 101);
    screen.click("play");
    CHECK(screen.state().inputs.steps == 200);
}

TEST_CASE("training that stopped stops playing, says where, and can be gone back from", "[learn][bad-input]") {
    Screen screen({1280, 800}, "goal=next&d_out=8&rate=1e9");
    screen.press_while_moving("play");
    play_to_end(screen);
    const int stopped = screen.evaluation().run->num_steps();
    CHECK(stopped < screen.state().inputs.steps);
    CHECK(screen.state().inputs.steps < 100);
    const std::string said = concat("training stopped after step ", stopped, ":");
    CHECK(std::ranges::any_of(screen.evaluation().notes,
                              [&](const std::string& note) { return note.starts_with(said); }));
    screen.click("play");
    CHECK_FALSE(screen.ui().is_playing());
    if (stopped == 0) return;
    screen.click("play=back");
    CHECK(screen.state().inputs.steps == stopped - 1);
    CHECK_FALSE(screen.evaluation().run->training().is_stopped());
}

TEST_CASE("a thousand million steps are as many as there may be, with a note", "[learn][bad-input]") {
    Screen screen({1280, 800}, "text=a+b&d_in=2&d_out=2&heads=1&goal=pattern&target=1:1>0&rate=0.001",
                  Screen::Computes::by_slices);
    screen.state().inputs.steps = 1'000'000'000;
    screen.frame();
    CHECK(screen.state().inputs.steps < 1'000'000'000);
    screen.frame();
    CHECK(screen.has("play"));
}

TEST_CASE("where nothing can learn there is nothing to play", "[learn][bad-input]") {
    for (const std::string_view link : {"goal=pattern", "goal=pattern&target=1:10>1&train=w_value"}) {
        CAPTURE(link);
        Screen screen({1280, 800}, link);
        screen.click("play");
        CHECK_FALSE(screen.ui().is_playing());
        screen.click("play=step");
        CHECK(screen.state().inputs.steps == 0);
    }
}

TEST_CASE("what was trained is kept as edits, and undone in one step", "[learn]") {
    Screen screen({1280, 800}, painted("&steps=20"));
    screen.rest();
    const Matrix output = screen.evaluation().trace.output;
    screen.click("keep");
    CHECK(screen.state().inputs.steps == 0);
    CHECK(screen.state().inputs.goal == GoalKind::pattern);
    CHECK(screen.state().inputs.edits.size() > 20);
    CHECK(screen.evaluation().trace.output == output);
    REQUIRE(screen.notes().size() == 1);
    CHECK_THAT(screen.notes().front(), ContainsSubstring("kept as"));
    screen.rest();
    screen.press_with_ctrl(ImGuiKey_Z);
    CHECK(screen.state().inputs.steps == 20);
    CHECK(screen.state().inputs.edits.empty());
}

TEST_CASE("too many trained numbers for edits are offered as a session file", "[learn][bad-input]") {
    Screen screen({1280, 800}, "text=a+b+c&d_in=90&d_out=90&heads=1&goal=next&steps=1");
    screen.take_requests();
    screen.click("keep");
    CHECK(screen.state().inputs.steps == 1);
    CHECK(screen.state().inputs.edits.empty());
    const std::vector<UiRequest> requests = screen.take_requests();
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == UiRequest::Kind::save);
    CHECK(requests[0].what == ExportKind::session);
}

TEST_CASE("one press puts the trained numbers beside those of step 0", "[learn]") {
    Screen screen({1280, 800}, painted("&steps=20"));
    screen.click("compare=before");
    CHECK(screen.state().view.view == ViewKind::compare);
    CHECK(read_link(screen.state().view.compare).state.inputs == read_link(painted()).state.inputs);
    CHECK(differences_in_words(screen.state(), read_link(screen.state().view.compare).state) ==
          std::vector<std::string>{"steps 0 instead of 20"});
    CHECK(screen.has("play"));
}

TEST_CASE("painted cells without a goal are offered to be taught", "[learn]") {
    Screen screen({1280, 800}, "target=1:10>1");
    CHECK_FALSE(screen.has("play"));
    screen.click("play=teach");
    CHECK(screen.state().inputs.goal == GoalKind::pattern);
    CHECK(screen.has("play"));
    screen.state().inputs.goal = GoalKind::none;
    screen.state().inputs.targets.clear();
    screen.settle();
    CHECK_FALSE(screen.has("play=teach"));
    CHECK_FALSE(screen.has("play"));
}

TEST_CASE("a phone has play, scrubber and loss in one line, and the rest among the settings", "[learn]") {
    Screen screen({360, 583}, painted("&steps=20"));
    screen.surroundings.page_shows_sentence = true;
    screen.surroundings.is_touch = true;
    screen.settle();
    const UiItem play = screen.at("play");
    const UiItem slider = screen.at("slider=steps");
    CHECK(play.max.x <= slider.min.x);
    CHECK(std::abs((play.min.y + play.max.y) - (slider.min.y + slider.max.y)) < 10);
    CHECK_FALSE(screen.has("play=step"));
    screen.press_while_moving("play");
    CHECK(screen.ui().is_playing());
    screen.press_while_moving("play");
    screen.settle();
    screen.click("settings");
    screen.point_at(ImVec2(200, 400));  // below the search, which does not scroll
    screen.scroll_to("compare=before");
    CHECK(screen.has("speed=10"));
    CHECK(screen.has("keep"));
}

TEST_CASE("what the author of a page locked or left out cannot be played", "[learn]") {
    Screen screen({1280, 800}, painted("&lock=steps"));
    screen.click("play");
    CHECK_FALSE(screen.ui().is_playing());
    CHECK(screen.state().inputs.steps == 0);
    screen.state().view.hide = {"training"};
    screen.settle();
    CHECK_FALSE(screen.has("play"));
}

TEST_CASE("the editor says what trained numbers are, and typing there sets where training begins", "[learn]") {
    const auto words_take = [](std::string_view link) {
        Screen screen({1280, 800}, link);
        return screen.corners_in("picture").size();
    };
    CHECK(words_take(painted("&steps=5&view=edit")) > words_take(painted("&steps=5&view=edit&tensor=w_value")));
}

TEST_CASE("a lesson leaves speed and actions their place under the picture", "[learn][lessons]") {
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(1920, 1024)}) {
        Screen screen(size, "lesson=readings&step=7");
        for (const char* name : {"speed=10", "keep", "compare=before"}) {
            CAPTURE(name, size.x);
            CHECK(screen.at(name).min.y > screen.at("play").min.y);
            CHECK_FALSE(screen.at(name).is_clipped);
        }
    }
}

TEST_CASE("a goal whose controls are all locked, one by one or together, is looked at and stays",
          "[learn][bad-input]") {
    for (const std::string_view lock : {"all", "goal", "train", "optimizer", "rate", "steps", "target"}) {
        CAPTURE(lock);
        Screen screen({1280, 1400}, painted(concat("&steps=3&view=learn&lock=", lock)));
        const Inputs before = screen.state().inputs;
        const auto is_of = [&](std::string_view name) {
            const std::string_view key = lock == "steps" ? "play" : lock;
            if (name == "slider=steps") return lock == "steps" || lock == "all";
            if (name == "steps+" || name == "steps-") return lock == "steps" || lock == "all";
            if (lock == "all") {
                for (const std::string_view all : {"goal=", "train=", "optimizer=", "rate", "play", "keep", "target"})
                    if (name.starts_with(all)) return true;
                return false;
            }
            return name.starts_with(key);
        };
        std::vector<std::string> names;
        for (const UiItem& item : screen.items()) {
            if (is_of(item.name) && !item.is_clipped) names.push_back(item.name);
        }
        for (const std::string& name : names) {
            CAPTURE(name);
            if (screen.has(name)) screen.click(name);
            CHECK(screen.state().inputs == before);
        }
    }
}

TEST_CASE("a frame takes no more steps than fit beside the picture, at any speed, and one at least", "[learn]") {
    constexpr double kMost = 7.5e6;  // multiply-adds: 2.5 ms of a page, 8 where the browser has just begun
    const auto* const sizes = GENERATE("", "&d_in=48&d_out=48", "&d_in=512&d_out=512&heads=8");
    const Inputs inputs = read_link(concat("goal=pattern&target=1:10>1", sizes)).state.inputs;
    CAPTURE(sizes, step_cost(inputs));
    CHECK(steps_of_frame(Speed::one, inputs) == 1);
    int before = 1;
    for (const Speed speed : {Speed::ten, Speed::hundred, Speed::fast}) {
        const int steps = steps_of_frame(speed, inputs);
        CHECK(steps >= before);
        CHECK((steps == 1 || steps * step_cost(inputs) <= kMost));
        before = steps;
    }
    CHECK((before + 1) * step_cost(inputs) > kMost);  // fast takes all that fit
}
