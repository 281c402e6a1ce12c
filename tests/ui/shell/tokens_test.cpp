// The token chips.
#include "core/ground/check.h"
#include "playground/models/small_model.h"
#include "playground/state/origin.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr ImVec2 kDesktop = {1280, 800};

// What a screen reader says of the item, reached by Tab.
std::string words_at(Screen& screen, std::string_view name) {
    for (int i = 0; i < 150 && screen.ui().focused_item() != name; ++i) screen.press(ImGuiKey_Tab);
    REQUIRE(screen.ui().focused_item() == name);
    return screen.ui().focus_words();
}

}  // namespace

TEST_CASE("a token pins its row and lets it go again", "[tokens]") {
    Screen screen({1280, 800});
    screen.click("token=7");
    CHECK(screen.state().view.cell == Cell{.head = 0, .row = 7, .column = 7});
    screen.click("token=7");
    CHECK_FALSE(screen.state().view.cell.has_value());
}

TEST_CASE("two thousand tokens cost no more than those in sight", "[tokens]") {
    std::string link = "text=";
    for (int i = 0; i < 2048; ++i) link += concat("word", i, "+");
    Screen screen({1280, 800}, link);
    REQUIRE(screen.evaluation().num_tokens() == 2048);
    int num_chips = 0;
    for (const UiItem& item : screen.items()) num_chips += item.name.starts_with("token=") ? 1 : 0;
    CHECK(num_chips > 10);
    CHECK(num_chips < 100);
    screen.state().view.cell = Cell{.head = 0, .row = 2000, .column = 0};
    screen.settle();
    CHECK(screen.has("token=2000"));
    CHECK_FALSE(screen.at("token=2000").is_clipped);
    CHECK_FALSE(screen.has("token=0"));
}

TEST_CASE("the sentences of a batch are shown one at a time", "[tokens]") {
    Screen screen({1280, 800}, "text=one&text=two+words&text=now+three+words");
    REQUIRE(screen.evaluation().num_tokens() == 1);
    screen.click("sentence+");
    CHECK(screen.evaluation().num_tokens() == 2);
    screen.click("sentence+");
    screen.click("sentence+");
    CHECK(screen.evaluation().num_tokens() == 3);
    screen.click("sentence-");
    CHECK(screen.state().view.sentence == 1);
}

TEST_CASE("a sentence that is written from the right begins at the right", "[tokens]") {
    const char* link = GENERATE("text=שלום עולם אני כאן", "text=مرحبا بالعالم أنا هنا");
    Screen screen({1280, 800}, link);
    CHECK(screen.at("token=0").max.x > 1230);
    CHECK(screen.at("token=0").min.x > screen.at("token=1").max.x);
    CHECK(screen.at("token=3").min.x > 640);
    screen.state().inputs.texts = {"hello world"};
    screen.settle();
    CHECK(screen.at("token=0").max.x < screen.at("token=1").min.x);
}

TEST_CASE("one switch goes from random matrices to the trained model and back: same sentence, same heads",
          "[tokens][model]") {
    Screen screen(kDesktop, "view=lines");
    const PlaygroundState before = screen.state();
    screen.click("matrices=first-words");
    CHECK(screen.state().inputs.model == kFirstWords.name);
    CHECK(screen.state().inputs.layer == 1);
    CHECK(screen.state().inputs.texts == before.inputs.texts);
    CHECK(screen.state().view.view == ViewKind::model);
    CHECK(screen.evaluation().source.model == kFirstWords.name);
    CHECK(screen.evaluation().num_tokens() == 12);  // one for the beginning
    CHECK(screen.state().inputs.num_heads == 8);
    screen.click("matrices=first-words");  // it is chosen already
    CHECK(screen.state().inputs.model == kFirstWords.name);
    screen.click("matrices=random");
    CHECK(screen.state().inputs.model.empty());
    CHECK(screen.state().inputs.num_heads == 8);
    CHECK(screen.state().inputs.texts == before.inputs.texts);
    CHECK(screen.state().view.view == ViewKind::matrix);
}

TEST_CASE("each turn of the switch is a step that can be undone", "[tokens][model]") {
    Screen screen;
    screen.rest();
    const PlaygroundState before = screen.state();
    screen.click("matrices=first-words");
    screen.rest();
    screen.press_with_ctrl(ImGuiKey_Z);
    CHECK(screen.state().inputs == before.inputs);
}

TEST_CASE("the switch stands only where the visitor decides", "[tokens][model]") {
    CHECK(Screen(kDesktop).has("matrices=random"));
    for (const char* link : {"lock=model", "lock=all", "hide=control.model", "hide=settings", "hide=tokens",
                             "lesson=causal", "check=weights"}) {
        INFO(link);
        CHECK_FALSE(Screen(kDesktop, link).has("matrices=random"));
    }
}

TEST_CASE("the switch stands within the window and on no token, or is left out", "[tokens][model]") {
    const bool is_touch = GENERATE(false, true);
    const float width = GENERATE(range(320.0F, 1400.0F, 45.0F));
    const char* link =
        GENERATE("", "model=first-words", "text=a+b", "text=שלום עולם אני כאן",
                 "text=It+took+two+rows+of+words+to+say+what+could+have+been+said+in+one&text=and+one+more");
    const bool is_long = std::string_view(link).size() > 60;
    CAPTURE(is_touch, width, link);
    Screen screen({width, 800}, link);
    screen.surroundings.is_touch = is_touch;
    screen.settle();
    if (screen.has("tokens")) screen.click("tokens");
    if (!screen.has("matrices=random")) {
        CHECK((width < 1080 || is_long));
        return;
    }
    const UiItem& random = screen.at("matrices=random");
    const UiItem& trained = screen.at("matrices=own-words");  // the last one
    CHECK_FALSE(random.is_clipped);
    CHECK_FALSE(trained.is_clipped);
    CHECK(random.max.x < trained.min.x);
    CHECK(trained.max.x <= width - 12);
    for (const UiItem& item : screen.items()) {
        if (!item.name.starts_with("token=")) continue;
        const bool is_beside = item.max.x < random.min.x || item.min.x > trained.max.x;
        const bool is_above = item.max.y <= random.min.y + 0.5F;
        INFO(item.name);
        CHECK((is_beside || is_above));
    }
}

TEST_CASE("the keyboard reaches the switch, and a screen reader hears what is chosen", "[tokens][model]") {
    Screen screen;
    CHECK(words_at(screen, "matrices=random") == "matrices, random, chosen");
    CHECK(words_at(screen, "matrices=first-words") == "matrices, first-words");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.model == kFirstWords.name);
    CHECK(screen.ui().focus_words() == "matrices, first-words, chosen");
}

TEST_CASE("while the trained matrices are not there, the switch says of none that they are shown", "[tokens][model]") {
    const attn::test::OwnModelIsClosed closed;
    Screen screen;
    screen.click("matrices=first-words");
    CHECK(screen.state().inputs.model == kFirstWords.name);
    CHECK(words_at(screen, "matrices=random") == "matrices, random");
    CHECK(words_at(screen, "matrices=first-words") == "matrices, first-words");
    screen.click("matrices=random");  // does not wait for them
    CHECK(screen.state().inputs.model.empty());
    CHECK(words_at(screen, "matrices=random") == "matrices, random, chosen");
}

TEST_CASE("the switch is there in the first frame, and no other frame moves it", "[tokens][model]") {
    Screen screen;
    const auto corners = screen.corners_in("tokens");
    screen.frame();
    CHECK(screen.corners_in("tokens") == corners);
}
