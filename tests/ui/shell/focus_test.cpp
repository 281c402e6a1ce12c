// Where the keyboard's focus is: seen at once, and told in words.
#include "core/ground/check.h"
#include "ui/screen.h"

#include <algorithm>

using namespace attn;
using namespace attn::testing;

namespace {

void go_to_item(Screen& screen, std::string_view name) {
    for (int i = 0; i < 150 && screen.ui().focused_item() != name; ++i) screen.press(ImGuiKey_Tab);
    REQUIRE(screen.ui().focused_item() == name);
}

// The canvas gets the keyboard, as a page tells it.
void come_by_keyboard(Screen& screen) {
    screen.surroundings.got_keyboard = true;
    screen.frame();
    screen.surroundings.got_keyboard = false;
    screen.settle();
}

}  // namespace

TEST_CASE("a visitor who comes by keyboard sees the focus at once", "[focus]") {
    Screen screen;
    screen.surroundings.page_shows_sentence = true;
    screen.settle();
    CHECK(screen.ui().focused_item().empty());
    come_by_keyboard(screen);
    CHECK_FALSE(screen.ui().focused_item().empty());
    screen.click("d_in+");
    CHECK(screen.ui().focused_item().empty());  // the pointer needs no ring
    come_by_keyboard(screen);
    CHECK(screen.ui().focused_item() == "d_in+");
}

TEST_CASE("the focused item is announced with its value", "[focus]") {
    struct Case {
        const char* item;
        const char* words;
    };
    const auto [item, words] = GENERATE(values<Case>({{"token=7", "token 7, woman"},
                                                      {"stage=weights", "stage, weights, chosen"},
                                                      {"mask=none", "mask, none"},
                                                      {"heads+", "heads: 2, more"},
                                                      {"d_in", "d_in: 8"},
                                                      {"bias", "bias: off"},
                                                      {"view=lines", "view, Lines"},
                                                      {"share", "Share"}}));
    Screen screen;
    go_to_item(screen, item);
    CHECK(screen.ui().focus_words() == words);
}

TEST_CASE("a text field is announced with its text, typed letters are not", "[focus]") {
    Screen screen({1280, 800}, "view=edit&tensor=w_query&edit=w_query[0,0]=0.5");
    go_to_item(screen, "text");
    CHECK(screen.ui().focus_words().starts_with("Type a sentence: "));
    CHECK(screen.ui().focus_words().ends_with(", text field"));
    const std::string words = screen.ui().focus_words();
    screen.type("x");
    CHECK(screen.ui().focus_words() == words);
    go_to_item(screen, "edit cells");
    CHECK(screen.ui().focus_words().starts_with("w_query[0,0] = 0.5"));
    screen.press(ImGuiKey_Enter);  // into the cells
    screen.press(ImGuiKey_F2);
    screen.settle();
    CHECK(screen.ui().focus_words() == "w_query[0,0]: 0.5, text field");
}

TEST_CASE("the field of a question says which number it asks for", "[focus]") {
    Screen screen({1280, 800}, "text=The+cat+sat&heads=1&check=weights&cell=1,1,0");
    screen.click("answer");
    CHECK(screen.ui().focus_words().starts_with("answer for Head 1 · cat → The, text field. "));  // what it needs
}

TEST_CASE("the map says which key leads into its cells, and which way out", "[focus]") {
    Screen screen;
    go_to_item(screen, "cells");
    CHECK(screen.has("keys=enter"));
    screen.press(ImGuiKey_Enter);
    CHECK(screen.has("keys=inside"));
    screen.press(ImGuiKey_DownArrow);
    CHECK(pinned(screen).row == 1);
    screen.press(ImGuiKey_Escape);
    CHECK(screen.has("keys=enter"));
    screen.click("heads+");
    CHECK_FALSE(screen.has("keys=enter"));
}

TEST_CASE("the arrows go down the settings, row by row, and back up", "[focus]") {
    Screen screen({1280, 1000});
    go_to_item(screen, "d_in");
    std::vector<float> way;
    for (int i = 0; i < 6; ++i) {
        CAPTURE(screen.ui().focused_item());
        way.push_back(screen.middle(screen.ui().focused_item()).y);
        screen.press(ImGuiKey_DownArrow);
    }
    CHECK(std::is_sorted(way.begin(), way.end()));
    CHECK(std::adjacent_find(way.begin(), way.end()) == way.end());
    for (int i = 0; i < 6; ++i) screen.press(ImGuiKey_UpArrow);
    CHECK(screen.ui().focused_item() == "d_in");
}

TEST_CASE("down from a stage leads to what stands below it, not to another column", "[focus]") {
    const auto* stage = GENERATE("embeddings", "keys", "weights");
    Screen screen({1280, 800}, "cell=1,3,1");
    go_to_item(screen, concat("stage=", stage));
    const UiItem from = screen.at(screen.ui().focused_item());
    for (int i = 0; i < 4; ++i) {
        screen.press(ImGuiKey_DownArrow);
        CAPTURE(stage, screen.ui().focused_item());
        const UiItem to = screen.at(screen.ui().focused_item());
        CHECK(to.min.y > from.max.y);
        CHECK(to.min.x < 980);  // where the explanation begins
        if (stage == std::string("embeddings")) CHECK(to.max.x < 252);
    }
}

TEST_CASE("where the system insists on colours, the canvas has them", "[focus]") {
    Screen screen;
    screen.surroundings.forced_colors = ForcedColors{0x000000, 0xffffff, 0xffff00, 0x1aebff, 0x000000};
    screen.settle();
    CHECK(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x == 0);
    CHECK(ImGui::GetStyle().Colors[ImGuiCol_Text].x == 1);
    CHECK(ImGui::GetStyle().Colors[ImGuiCol_TextLink].z == 0);
}

TEST_CASE("Enter presses nothing that cannot be pressed", "[focus]") {
    Screen screen({1280, 800}, "lesson=causal&step=1");
    ImGui::GetCurrentContext()->NavId = screen.at("step-").id;  // as after the press that led to the first step
    ImGui::SetNavCursorVisible(true);
    screen.settle();
    REQUIRE(screen.ui().focused_item() == "step-");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.step == 0);
}

TEST_CASE("where a button leads to a picture without it, the nearest item has the focus", "[focus]") {
    Screen screen({1280, 800}, "view=model");
    go_to_item(screen, "model=first-words");
    screen.press(ImGuiKey_Enter);
    CHECK_FALSE(screen.has("model=first-words"));
    CHECK_FALSE(screen.ui().focused_item().empty());
}
