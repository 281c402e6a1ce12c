// The search above the settings, by pointer, keyboard and finger.
#include "ui/settings/finding.h"

#include "core/ground/check.h"
#include "playground/state/words.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

int num_found(const Screen& screen) {
    int count = 0;
    for (const UiItem& item : screen.items()) count += item.name.starts_with("result=") ? 1 : 0;
    return count;
}

std::string_view focused(Screen& screen) {
    return screen.ui().focused_item();
}

}  // namespace

TEST_CASE("typing lists what is found, in place of the settings", "[settings][find]") {
    Screen screen;
    screen.click("search");
    screen.type("mla");
    CHECK(screen.has("result=latent"));
    CHECK(screen.has("result=latent_queries"));
    CHECK_FALSE(screen.has("heads+"));
    CHECK(num_found(screen) <= 9);
    screen.type("zz");
    CHECK(num_found(screen) == 0);
    screen.click("search=close");
    CHECK(screen.has("heads+"));
    screen.click("search");
    CHECK(screen.has("heads+"));  // nothing is typed
}

TEST_CASE("a setting that was found has the focus, in its open group", "[settings][find]") {
    Screen screen({1280, 700});
    screen.click("search");
    screen.type("gqa");
    screen.click("result=kv_heads");
    CHECK(focused(screen).starts_with("kv_heads"));
    CHECK_FALSE(screen.at("kv_heads+").is_clipped);
    CHECK(screen.state().inputs == Inputs());
}

TEST_CASE("a setting that has no row now leads to the one before it", "[settings][find]") {
    for (const auto& [link, row] : {std::pair("", "pos="), std::pair("pos=rope", "rope_base")}) {
        CAPTURE(link);
        Screen screen({1280, 800}, link);
        screen.click("search");
        screen.type("rope base");
        screen.click("result=rope_base");
        CHECK(focused(screen).starts_with(row));
    }
}

TEST_CASE("a view that was found opens, and a lesson begins", "[settings][find]") {
    Screen screen;
    screen.click("search");
    screen.type("softmax");
    screen.click("result=softmax");
    CHECK(screen.state().view.view == ViewKind::softmax);
    CHECK(screen.has("heads+"));
    screen.click("search");
    screen.type("alibi");
    screen.click("result=fainter");
    CHECK(screen.state().view.lesson == "fainter");
    CHECK(screen.has("step+"));
}

TEST_CASE("/ begins to search, Enter takes the first, Escape ends it", "[settings][find]") {
    Screen screen;
    screen.type("/");
    screen.type("temper");
    CHECK(screen.has("result=temperature"));
    screen.press(ImGuiKey_Enter);
    CHECK(focused(screen).starts_with("temperature"));
    screen.type("/");
    screen.type("rope");
    CHECK(num_found(screen) > 3);
    screen.press(ImGuiKey_Escape);
    CHECK(num_found(screen) == 0);
    screen.press(ImGuiKey_Escape);
    CHECK_FALSE(screen.has("search=close"));
    CHECK(screen.has("heads+"));
}

TEST_CASE("letters that come with / are not lost", "[settings][find]") {
    Screen screen;
    screen.type("/kv cac");
    CHECK(screen.has("result=cache"));
    screen.type("he");
    CHECK(screen.has("result=cache"));
}

TEST_CASE("/ is a letter where somebody types, and nothing where the settings are hidden", "[settings][find]") {
    {
        Screen screen;
        screen.click("text");
        screen.type("/");
        CHECK_FALSE(screen.has("search=close"));
        CHECK(screen.state().inputs.texts.front().find('/') != std::string::npos);
    }
    Screen hidden({1280, 800}, "hide=settings");
    hidden.type("/");
    CHECK_FALSE(hidden.has("search=close"));
    CHECK_FALSE(hidden.has("search"));
}

TEST_CASE("the arrow leads from the field to what was found", "[settings][find]") {
    Screen screen;
    screen.type("/");
    screen.type("dropout");
    screen.press(ImGuiKey_DownArrow);
    CHECK(focused(screen) == "result=dropout");
    CHECK(screen.ui().focus_words().starts_with("dropout, setting, Attention: "));
    screen.press(ImGuiKey_Enter);
    CHECK(focused(screen).starts_with("dropout"));
}

TEST_CASE("on a phone the search is in the drawer", "[settings][find]") {
    for (const ImVec2 size : {ImVec2(360, 583), ImVec2(844, 341), ImVec2(700, 900)}) {
        CAPTURE(size.x, size.y);
        Screen screen(size);
        screen.surroundings.page_shows_sentence = true;
        screen.surroundings.is_touch = true;
        screen.settle();
        CHECK_FALSE(screen.has("search"));
        screen.click("settings");
        screen.click("search");
        screen.type("kv cache");
        CHECK(screen.has("result=cache"));
        screen.click("result=cache");
        CHECK(screen.state().view.view == ViewKind::cache);
        CHECK_FALSE(screen.has("settings=close"));  // the drawer is closed
    }
    Screen screen({700, 900});
    screen.type("/");
    CHECK(screen.has("settings=close"));
    screen.type("gqa");
    screen.click("result=kv_heads");
    CHECK(focused(screen).starts_with("kv_heads"));
}

TEST_CASE("a trained model's settings are found where they are", "[settings][find][model]") {
    Screen screen({1280, 800}, "view=model&model=first-words&layer=2&off=2:7");
    screen.type("/");
    screen.type("ablation");
    CHECK(screen.has("result=off"));
    CHECK_FALSE(screen.has("result=kv_heads"));
    screen.click("result=off_by");
    CHECK(focused(screen).starts_with("off_by"));
}
