// view=door on the screen: one thing to press, heads and words that can be pressed, the doors, and what stands there
// without a model.
#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "playground/state/origin.h"
#include "ui/screen.h"
#include "views/door/doors.h"

#include <optional>

using namespace attn;
using namespace attn::testing;

namespace {

constexpr ImVec2 kSizes[] = {{1280, 744}, {1920, 1024}, {860, 640}, {360, 580}, {844, 346}, {320, 420}};

}  // namespace

TEST_CASE("the one button switches the head off, and on again", "[door]") {
    Screen screen({1280, 744}, "view=door");
    CHECK(write_link(screen.state()) == "v=1&view=door");
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
    screen.surroundings.page_shows_sentence = true;
    screen.settle();
    CAPTURE(screen.at("off=in use").min.y, screen.at("off=in use").max.y);
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
    CHECK(screen.has("play"));
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
    CHECK(write_link(screen.state()) == "v=1&view=door");
}

TEST_CASE("random heads offer the trained model, which keeps every word in sight", "[door]") {
    Screen screen({1280, 744}, "view=door&model=&text=the+zebra+near+the+dogs");
    CHECK_FALSE(screen.has("off=in use"));
    screen.click("read=first-words");
    CHECK(screen.state().inputs.model == kFirstWords.name);
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

TEST_CASE("what the page's author locks cannot be pressed", "[door]") {
    Screen screen({1280, 744}, "view=door&lock=all");
    const PlaygroundState before = screen.state();
    for (const UiItem& item : std::vector<UiItem>(screen.items())) {
        if (item.name.starts_with("head=") || item.is_clipped) continue;
        INFO(item.name);
        screen.click(item.name);
        CHECK(screen.state().inputs == before.inputs);
        CHECK(screen.state().view.view == ViewKind::door);
    }
}

TEST_CASE("doors to what the page's author leaves out are not there", "[door]") {
    Screen screen({1280, 744}, "view=door&hide=views,lessons");
    for (const Door& door : doors()) CHECK_FALSE(screen.has(concat("door=", door.name)));
}

TEST_CASE("no words, and none that the model knows: sentences to start from are there", "[door][bad-input]") {
    const char* link = GENERATE("view=door&text=", "view=door&text=zebra");
    Screen screen({1280, 744}, link);
    screen.click("start=1");
    CHECK(screen.state().inputs.texts[0] == kDoorSentence);
}

TEST_CASE("two hundred words and Arabic ones are read by random heads, with a way to the model", "[door][bad-input]") {
    std::string many = "view=door&model=&text=";
    for (int k = 0; k < 200; ++k) many += "word+";
    const std::string link = GENERATE_COPY(as<std::string>(), many, "view=door&model=&text=القط+جلس+على+السجادة");
    const ImVec2 size = GENERATE(from_range(kSizes));
    Screen screen(size, link);
    CHECK(screen.has("read=first-words"));
}

TEST_CASE("the desktop's logo leads back with what was typed", "[door]") {
    const bool has_own_words = GENERATE(true, false);
    std::optional<attn::test::OwnModelIsClosed> closed;
    if (!has_own_words) closed.emplace(kOwnWords);
    Screen screen({1280, 800}, "text=the+cat+near+the+dogs");
    screen.click("door=start");
    CHECK(screen.state().view.view == ViewKind::door);
    CHECK(screen.state().inputs.texts[0] == "the cat near the dogs");
    CHECK(screen.state().inputs.model == (has_own_words ? kOwnWords : kFirstWords).name);
}
