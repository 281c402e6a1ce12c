// view=door on the screen: one thing to press, heads and words that can be pressed, the doors, and what stands there
// without a model.
#include "core/ground/check.h"
#include "playground/models/small_model.h"
#include "playground/state/origin.h"
#include "ui/screen.h"
#include "views/door/doors.h"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr ImVec2 kSizes[] = {{1280, 744}, {1920, 1024}, {860, 640}, {360, 580}, {844, 346}, {320, 420}};

}  // namespace

TEST_CASE("the one button switches the head off, and on again", "[door]") {
    Screen screen({1280, 744}, "view=door");
    CHECK(screen.state() == door_state());
    screen.click("off=in use");
    CHECK(screen.state().inputs.off == std::vector{HeadOff{1, 3}});
    screen.click("off=in use");
    CHECK(screen.state().inputs.off.empty());
}

TEST_CASE("the scene has the canvas for itself: no settings, tabs, stages or tokens", "[door]") {
    const ImVec2 size = GENERATE(from_range(kSizes));
    CAPTURE(size.x, size.y);
    Screen screen(size, "view=door");
    for (const char* name : {"heads+", "view=matrix", "stage=weights", "token=1", "settings", "views"})
        CHECK_FALSE(screen.has(name));
    CHECK(screen.has("off=in use"));
    CHECK(screen.has("door=numbers"));
}

TEST_CASE("the button is in sight without scrolling, and all that can be pressed lies within the width", "[door]") {
    const ImVec2 size = GENERATE(from_range(kSizes));
    const bool is_touch = GENERATE(false, true);
    CAPTURE(size.x, size.y, is_touch);
    Screen screen(size, "view=door");
    screen.surroundings.is_touch = is_touch;
    screen.settle();
    CHECK_FALSE(screen.at("off=in use").is_clipped);
    for (const UiItem& item : screen.items()) {
        INFO(item.name);
        CHECK(item.min.x >= 0);
        CHECK(item.max.x <= size.x);
    }
}

TEST_CASE("the doors are in sight on a laptop", "[door]") {
    Screen screen({1280, 744}, "view=door");
    for (const Door& door : doors()) CHECK_FALSE(screen.at(concat("door=", door.name)).is_clipped);
}

TEST_CASE("each door opens by a press, and what it opens is legal", "[door]") {
    for (const Door& door : doors()) {
        INFO(door.name);
        Screen screen({1280, 744}, "view=door");
        screen.click(concat("door=", door.name));
        CHECK(screen.state().view.view != ViewKind::door);
        CHECK(screen.notes().empty());
    }
    Screen screen({1280, 744}, "view=door");
    screen.click("door=teach");
    CHECK(screen.state().inputs.goal == GoalKind::pattern);
    CHECK(screen.has("learn=train"));
}

TEST_CASE("heads, layers, words and sentences are one press away", "[door]") {
    Screen screen({1280, 744}, "view=door");
    screen.click("head=2");
    CHECK(screen.state().view.head == 1);
    screen.click("layer=1");
    CHECK(screen.state().inputs.layer == 0);
    CHECK_FALSE(screen.state().view.head);
    screen.click("start=3");
    CHECK(screen.state().inputs.texts[0] == "k f p q t w k f p q");
    screen.click("start=over");
    CHECK(screen.state() == door_state());
}

TEST_CASE("random heads offer the trained model, which keeps every word in sight", "[door]") {
    Screen screen({1280, 744}, "view=door&model=&text=the+zebra+near+the+dogs");
    CHECK_FALSE(screen.has("off=in use"));
    screen.click("read=trained");
    CHECK(screen.state().inputs.model == kOwnModel);
    CHECK(screen.state().inputs.texts[0] == "the zebra near the dogs");
    CHECK(screen.has("off=in use"));
}

TEST_CASE("without the model there is no number, and the doors are open", "[door]") {
    const attn::test::OwnModelIsClosed closed;
    Screen screen({1280, 744}, "view=door");
    CHECK_FALSE(screen.has("off=in use"));
    CHECK_FALSE(screen.has("head=1"));
    screen.click("door=numbers");
    CHECK(screen.state().view.view == ViewKind::matrix);
}

TEST_CASE("what the page's author locks or leaves out cannot be pressed", "[door]") {
    Screen locked({1280, 744}, "view=door&lock=all");
    const PlaygroundState before = locked.state();
    for (const UiItem& item : std::vector<UiItem>(locked.items())) {
        if (item.name.starts_with("head=") || item.is_clipped) continue;
        INFO(item.name);
        locked.click(item.name);
        CHECK(locked.state().inputs == before.inputs);
        CHECK(locked.state().view.view == ViewKind::door);
    }
    Screen bare({1280, 744}, "view=door&hide=views,lessons");
    for (const Door& door : doors()) CHECK_FALSE(bare.has(concat("door=", door.name)));
}

TEST_CASE("no words, none that the model knows, and very many: never a canvas without a way on", "[door][bad-input]") {
    Screen empty({1280, 744}, "view=door&text=");
    empty.click("start=1");
    CHECK(empty.state().inputs.texts[0] == kDoorSentence);
    Screen unknown({1280, 744}, "view=door&text=zebra");
    unknown.click("start=1");
    CHECK(unknown.state().inputs.texts[0] == kDoorSentence);
    std::string many = "view=door&model=&text=";
    for (int k = 0; k < 200; ++k) many += "word+";
    Screen crowd({360, 580}, many);
    CHECK(crowd.has("read=trained"));
    Screen arabic({860, 640}, "view=door&model=&text=القط+جلس+على+السجادة");
    CHECK(arabic.has("read=trained"));
}

TEST_CASE("the desktop's logo leads back with what was typed", "[door]") {
    Screen screen({1280, 800}, "text=the+cat+near+the+dogs");
    screen.click("door=start");
    CHECK(screen.state().view.view == ViewKind::door);
    CHECK(screen.state().inputs.texts[0] == "the cat near the dogs");
    CHECK(screen.state().inputs.model == kOwnModel);
}
