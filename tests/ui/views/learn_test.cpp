// view=learn on the whole screen: the curve that is pointed at, the strip, and where to begin.
#include "core/ground/check.h"
#include "playground/text/format.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr const char* kReadings = "view=learn&goal=pattern&target=1:10>1,10>7&optimizer=adam&rate=0.05&steps=150";

}  // namespace

TEST_CASE("what a head learned is drawn at every size, and comes to rest", "[learn]") {
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(700, 900), ImVec2(390, 844), ImVec2(360, 640)}) {
        for (const char* link : {kReadings, "view=learn&goal=next&d_out=8&steps=20", "view=learn",
                                 "view=learn&goal=pattern&target=1:10>1&heads=1",
                                 "view=learn&goal=pattern&target=1:10>1&rate=1e9&steps=9"}) {
            CAPTURE(size.x, link);
            Screen screen(size, link);
            const int frames = screen.num_frames;
            screen.settle();
            CHECK(screen.num_frames == frames + 1);
            CHECK(screen.has("loss curve") == (std::string_view(link) != "view=learn"));
        }
    }
}

TEST_CASE("pointing at the curve shows the loss of a step, a press goes there", "[learn]") {
    Screen screen({1280, 800}, kReadings);
    const UiItem curve = screen.at("loss curve");
    const auto corners = screen.corners_in("learn");
    screen.point_at({curve.min.x + (curve.max.x - curve.min.x) / 3, curve.min.y + 20});
    CHECK(screen.corners_in("learn") != corners);
    CHECK(screen.state().inputs.steps == 150);
    screen.click({curve.min.x + (curve.max.x - curve.min.x) / 3, curve.min.y + 20});
    CHECK(screen.state().inputs.steps == 50);
}

TEST_CASE("an author's lock holds the steps where they are", "[learn]") {
    Screen screen({1280, 800}, concat(kReadings, "&lock=steps"));
    const UiItem curve = screen.at("loss curve");
    screen.click({curve.min.x + 10, curve.min.y + 20});
    CHECK(screen.state().inputs.steps == 150);
}

TEST_CASE("the arrows walk along the curve, and the step is told", "[learn]") {
    Screen screen({1280, 800}, kReadings);
    const auto focus = [&] { return screen.ui().focus_words(); };
    for (int tab = 0; tab < 200 && !focus().starts_with("loss curve"); ++tab) screen.press(ImGuiKey_Tab);
    const std::vector<double>& losses = screen.evaluation().run->losses();
    CHECK(focus() == concat("loss curve, step 150: loss ", shown_number(losses[150])));
    screen.press(ImGuiKey_LeftArrow);
    screen.press(ImGuiKey_LeftArrow);
    CHECK(focus() == concat("loss curve, step 148: loss ", shown_number(losses[148])));
    screen.press(ImGuiKey_RightArrow);
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.steps == 149);
}

TEST_CASE("the strip shows all heads or one of them", "[learn]") {
    Screen screen({1280, 800}, kReadings);
    screen.point_at("loss curve");
    screen.scroll_to("head+");
    screen.click("head+");
    CHECK(screen.state().view.head == 0);
    screen.click("head+");
    CHECK(screen.state().view.head == 1);
    screen.click("head-");
    screen.click("head-");
    CHECK_FALSE(screen.state().view.head);
}

TEST_CASE("without a goal two examples are a press away", "[learn]") {
    Screen screen({1280, 800}, "view=learn&theme=dark");
    screen.click("learn=readings");
    CHECK(screen.state().inputs.goal == GoalKind::pattern);
    CHECK(screen.state().inputs.targets.size() == 2);
    CHECK(screen.state().inputs.steps == 150);
    CHECK(screen.state().view.view == ViewKind::learn);
    CHECK(screen.state().view.theme == Theme::dark);
    CHECK(screen.has("loss curve"));
    screen.rest();
    screen.press_with_ctrl(ImGuiKey_Z);
    CHECK(screen.state().inputs.goal == GoalKind::none);
    screen.click("learn=next");
    CHECK(screen.state().inputs.goal == GoalKind::next);
    CHECK(screen.has("loss curve"));
}

TEST_CASE("without a target the view alone says so", "[learn]") {
    Screen screen({1280, 800}, "text=a+b+c&view=learn&goal=pattern");
    CHECK(screen.has("learn=next"));
    CHECK_FALSE(screen.has("notes=read"));
    CHECK_FALSE(screen.has("play"));
    screen.state().view.view = ViewKind::matrix;  // elsewhere nobody else says it
    screen.settle();
    CHECK(screen.has("notes=read"));
    CHECK(screen.has("play"));
}

TEST_CASE("on a laptop some of the maps stand above the bar, below the curve", "[learn]") {
    Screen screen({1280, 744}, "text=a+b+c&view=learn&goal=pattern&target=1:2>1&steps=20");
    screen.surroundings.page_shows_sentence = true;
    screen.settle();
    CHECK(screen.at("loss curve").max.y < screen.at("head+").min.y);
    CHECK(screen.at("head+").max.y < screen.at("play").min.y - 150);
}

TEST_CASE("a locked control is not replaced by an example", "[learn]") {
    Screen locked({1280, 800}, "view=learn&lock=heads");
    CHECK_FALSE(locked.has("learn=readings"));
}
