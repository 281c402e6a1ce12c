// view=edit on the whole screen: selecting, typing, pasting, copying and reverting with pointer and keys.
#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "ui/screen.h"
#include "views/edit/edit_table.h"

using namespace attn;
using attn::testing::Screen;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* kEditLink = "view=edit&tensor=w_query&d_in=4&d_out=4&heads=2";

float at(Screen& screen, int row, int column, TensorId tensor = TensorId::w_query) {
    return number_at(screen.evaluation(), tensor, row, column);
}

}  // namespace

TEST_CASE("a number is typed over the selected cell, and Enter goes down", "[edit]") {
    Screen screen({1280, 800}, kEditLink);
    const float below = at(screen, 1, 2);
    screen.click("w_query[0,2]");
    screen.type("0.5");
    REQUIRE(screen.has("edit cell"));
    CHECK(screen.state().inputs.edits.empty());
    screen.press(ImGuiKey_Enter);
    CHECK_FALSE(screen.has("edit cell"));
    CHECK(at(screen, 0, 2) == 0.5F);
    CHECK(at(screen, 1, 2) == below);

    screen.type("-");
    screen.type("2");  // the field has the keyboard by now
    screen.press(ImGuiKey_Enter);
    CHECK(at(screen, 1, 2) == -2);
    CHECK(screen.state().inputs.edits.size() == 2);
}

TEST_CASE("a number and its Enter may come faster than frames", "[edit]") {
    Screen screen({1280, 800}, kEditLink);
    ImGuiIO& io = ImGui::GetIO();
    const int num_frames = GENERATE(0, 1, 2, 3);  // between the number and the Enter
    screen.click("w_query[0,2]");
    io.AddInputCharactersUTF8("0.5");
    for (int k = 0; k < num_frames; ++k) screen.frame();
    io.AddKeyEvent(ImGuiKey_Enter, true);
    io.AddKeyEvent(ImGuiKey_Enter, false);
    screen.settle();
    CHECK_FALSE(screen.has("edit cell"));
    CHECK(at(screen, 0, 2) == 0.5F);

    // The next number goes into the cell below; this one is opened first.
    io.AddKeyEvent(ImGuiKey_Enter, true);
    io.AddKeyEvent(ImGuiKey_Enter, false);
    for (int k = 0; k < num_frames; ++k) screen.frame();
    io.AddInputCharactersUTF8("-2");
    screen.settle();
    screen.press(ImGuiKey_Enter);
    CHECK(at(screen, 1, 2) == -2);
    CHECK(screen.state().inputs.edits.size() == 2);
}

TEST_CASE("Tab goes to the right while a number is typed", "[edit]") {
    Screen screen({1280, 800}, kEditLink);
    screen.click("w_query[2,0]");
    screen.type("1");
    screen.press(ImGuiKey_Tab);
    screen.type("2");
    screen.press(ImGuiKey_Tab);
    CHECK(at(screen, 2, 0) == 1);
    CHECK(at(screen, 2, 1) == 2);
    // While nothing is typed it leaves the table.
    screen.press(ImGuiKey_Tab);
    screen.type("3");
    CHECK_FALSE(screen.has("edit cell"));
    CHECK(screen.state().inputs.edits.size() == 2);
}

TEST_CASE("Escape gives up what is being typed, and going elsewhere keeps it", "[edit]") {
    Screen screen({1280, 800}, kEditLink);
    screen.click("w_query[0,0]");
    screen.type("7");
    screen.press(ImGuiKey_Escape);
    CHECK(screen.state().inputs.edits.empty());
    screen.type("8");
    screen.click("w_query[3,3]");
    CHECK(at(screen, 0, 0) == 8);
    CHECK(screen.state().inputs.edits.size() == 1);
}

TEST_CASE("a second click, Enter and F2 open the number that stands there", "[edit]") {
    Screen screen({1280, 800}, "view=edit&tensor=w_query&d_in=4&d_out=4&heads=2&edit=w_query[1,1]=0.25");
    screen.click("w_query[1,1]");
    CHECK_FALSE(screen.has("edit cell"));
    SECTION("click") {
        screen.click("w_query[1,1]");
    }
    SECTION("Enter") {
        screen.press(ImGuiKey_Enter);
    }
    SECTION("F2") {
        screen.press(ImGuiKey_F2);
    }
    REQUIRE(screen.has("edit cell"));
    screen.press(ImGuiKey_End);
    screen.type("5");
    screen.press(ImGuiKey_Enter);
    CHECK(at(screen, 1, 1) == 0.255F);
}

TEST_CASE("text that is not a number changes nothing, and the visitor is told", "[edit][bad-input]") {
    Screen screen({1280, 800}, kEditLink);
    const auto* text = GENERATE(as<const char*>{}, "abc", "nan", "1e39", "1,5,5");
    screen.click("w_query[0,1]");
    screen.type(text);
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.edits.empty());
    REQUIRE_FALSE(screen.notes().empty());
    CHECK_THAT(screen.notes().back(), ContainsSubstring("w_query[0,1] stays"));
    // The cell stays open with what was typed: a Backspace mends it.
    REQUIRE(screen.has("edit cell"));
    screen.press_with_ctrl(ImGuiKey_A);
    screen.type("0,25");
    screen.press(ImGuiKey_Enter);
    CHECK_FALSE(screen.has("edit cell"));
    CHECK(at(screen, 0, 1) == 0.25F);
    CHECK(screen.notes().empty());
}

TEST_CASE("refused text stays in the field, with the caret behind it", "[edit][bad-input]") {
    Screen screen({1280, 800}, kEditLink);
    const ImGuiKey key = GENERATE(ImGuiKey_Enter, ImGuiKey_Tab);
    screen.click("w_query[0,1]");
    screen.type("1.5x");
    screen.press(key);
    REQUIRE(screen.has("edit cell"));
    screen.press(ImGuiKey_Backspace);
    screen.press(ImGuiKey_Enter);
    CHECK(at(screen, 0, 1) == 1.5F);
    screen.type("x");
    screen.press(ImGuiKey_Enter);
    REQUIRE(screen.has("edit cell"));
    screen.press(ImGuiKey_Escape);
    CHECK_FALSE(screen.has("edit cell"));
}

TEST_CASE("a comma that may separate thousands is noted", "[edit]") {
    Screen screen({1280, 800}, kEditLink);
    screen.click("w_query[0,1]");
    screen.type("1,500");
    screen.press(ImGuiKey_Enter);
    CHECK(at(screen, 0, 1) == 1.5F);
    REQUIRE(screen.notes().size() == 1);
    CHECK_THAT(screen.notes().back(), ContainsSubstring("was read as 1.500"));
}

TEST_CASE("a map beside the table shows what the numbers do, in every window that has room", "[edit]") {
    const ImVec2 size = GENERATE(ImVec2(1920, 1080), ImVec2(1280, 800), ImVec2(700, 740), ImVec2(360, 640));
    const auto* tensor = GENERATE(as<const char*>{}, "w_query", "x", "mask", "w_out", "values");
    Screen screen(size, concat("view=edit&tensor=", tensor));
    CAPTURE(size.x, tensor);
    if (size.x >= 1280) CHECK(screen.has("edit map"));
    if (!screen.has("edit map")) return;
    const UiItem map = screen.at("edit map");
    const UiItem cells = screen.at("edit cells");
    CHECK(map.max.x <= size.x);
    CHECK(map.max.y <= size.y);
    CHECK(map.max.x - map.min.x >= 60);
    CHECK((map.min.x >= std::min(cells.max.x, cells.min.x + 120) || map.min.y >= cells.max.y));
}

TEST_CASE("Edit has a tab of its own where there is room", "[edit]") {
    const bool is_wide = GENERATE(true, false);
    const Screen screen(is_wide ? ImVec2(1920, 1080) : ImVec2(360, 640));
    CHECK(screen.has("view=edit") == is_wide);
}

TEST_CASE("a block is pasted at the selected cell and can be copied again", "[edit]") {
    Screen screen({1280, 800}, kEditLink);
    screen.click("w_query[1,1]");
    ImGui::SetClipboardText("[[ 1.  2.]\n [-3.e-01 4.]]");
    SECTION("by key") {
        screen.press_with_ctrl(ImGuiKey_V);
    }
    SECTION("by button") {
        screen.click("cells paste");
    }
    CHECK(at(screen, 1, 1) == 1);
    CHECK(at(screen, 2, 2) == 4);
    CHECK(at(screen, 2, 1) == -0.3F);
    ImGui::SetClipboardText("");
    screen.click("cells copy");  // what was pasted is selected
    CHECK(std::string(ImGui::GetClipboardText()) == "1\t2\n-0.3\t4\n");
}

TEST_CASE("a block whose commas may be decimal points is asked about", "[edit]") {
    Screen screen({1280, 800}, kEditLink);
    screen.click("w_query[0,0]");
    ImGui::SetClipboardText("0,5\n1,25");
    screen.press_with_ctrl(ImGuiKey_V);
    REQUIRE(screen.has("offer=1"));
    CHECK(screen.state().inputs.edits.empty());
    screen.click("offer=1");
    CHECK(at(screen, 0, 0) == 0.5F);
    CHECK(at(screen, 1, 0) == 1.25F);
    CHECK(screen.state().inputs.edits.size() == 2);
}

TEST_CASE("a block is pasted while one cell is typed in", "[edit]") {
    Screen screen({1280, 800}, kEditLink);
    screen.click("w_query[0,0]");
    screen.click("w_query[0,0]");
    REQUIRE(screen.has("edit cell"));
    ImGui::SetClipboardText("1\t2\n3\t4");
    screen.press_with_ctrl(ImGuiKey_V);
    CHECK_FALSE(screen.has("edit cell"));
    CHECK(at(screen, 1, 1) == 4);
    CHECK(screen.state().inputs.edits.size() == 4);
}

TEST_CASE("a paste that does not fit, or is nothing, changes nothing", "[edit][bad-input]") {
    Screen screen({1280, 800}, kEditLink);
    const auto* text = GENERATE(as<const char*>{}, "", "1 2 3 4 5", "nan 1", "1 2\n3");
    screen.click("w_query[0,0]");
    ImGui::SetClipboardText(text);
    screen.press_with_ctrl(ImGuiKey_V);
    CHECK(screen.state().inputs.edits.empty());
    REQUIRE_FALSE(screen.notes().empty());
    CHECK_THAT(screen.notes().back(), ContainsSubstring("nothing was pasted"));
}

TEST_CASE("a range is selected by dragging, by Shift and arrows, and by Ctrl+A", "[edit]") {
    Screen screen({1280, 800}, kEditLink);
    std::string want;
    SECTION("drag") {
        screen.drag(screen.middle("w_query[1,0]"), screen.middle("w_query[2,1]"));
        want = write_number_block(copy_area(screen.evaluation(), TensorId::w_query, {1, 0, 2, 2}));
    }
    SECTION("Shift") {
        screen.click("w_query[1,0]");
        press_with_shift(screen, ImGuiKey_DownArrow);
        press_with_shift(screen, ImGuiKey_RightArrow);
        want = write_number_block(copy_area(screen.evaluation(), TensorId::w_query, {1, 0, 2, 2}));
    }
    SECTION("all") {
        screen.click("w_query[1,0]");
        screen.press_with_ctrl(ImGuiKey_A);
        want = write_number_block(copy_area(screen.evaluation(), TensorId::w_query, {0, 0, 4, 4}));
    }
    CHECK_FALSE(screen.has("edit cell"));
    screen.press_with_ctrl(ImGuiKey_C);
    CHECK(std::string(ImGui::GetClipboardText()) == want);
}

TEST_CASE("Delete reverts what is selected, the buttons the matrix or all", "[edit]") {
    Screen screen({1280, 800}, std::string(kEditLink) + "&edit=w_query[0,0]=1&edit=w_query[0,1]=2&edit=w_key[0,0]=3");
    screen.click("w_query[0,0]");
    screen.press(ImGuiKey_Delete);
    CHECK(screen.state().inputs.edits.size() == 2);
    screen.click("cells revert");
    CHECK(screen.state().inputs.edits.size() == 1);
    screen.click("cells revert all");
    CHECK(screen.state().inputs.edits.empty());
}

TEST_CASE("a click switches a cell of the mask, Space all that are selected", "[edit]") {
    Screen screen({1280, 800}, "view=edit&tensor=mask&text=a+b+c");
    screen.click("mask[2,0]");
    CHECK(at(screen, 2, 0, TensorId::mask) == 1);
    screen.click("mask[2,0]");
    CHECK(at(screen, 2, 0, TensorId::mask) == 0);
    screen.drag(screen.middle("mask[0,2]"), screen.middle("mask[1,2]"));
    screen.press(ImGuiKey_Space);
    CHECK(at(screen, 0, 2, TensorId::mask) == 0);
    CHECK(at(screen, 1, 2, TensorId::mask) == 0);
}

TEST_CASE("present tensors can be chosen, absent ones are named", "[edit]") {
    Screen screen({1280, 800}, "view=edit&init=none&d_in=4&d_out=4&heads=1");
    CHECK_FALSE(screen.has("tensor=w_query"));
    CHECK_FALSE(screen.has("edit cells"));  // w_query is what a fresh state edits
    screen.click("tensor=x");
    CHECK(screen.state().view.tensor == TensorId::embeddings);
    CHECK(screen.has("edit cells"));
    screen.click("tensor=mask");
    CHECK(screen.has("mask[0,0]"));
}

TEST_CASE("a large matrix draws only the cells in sight, and the keys lead everywhere", "[edit]") {
    Screen screen({1280, 800}, "view=edit&tensor=w_query&text=a&d_in=1024&d_out=1024&heads=4");
    CHECK(screen.items().size() < 700);
    screen.click("w_query[0,0]");
    screen.press(ImGuiKey_End);
    CHECK_FALSE(screen.at("w_query[0,1023]").is_clipped);
    for (int page = 0; page < 120 && !screen.has("w_query[1023,1023]"); ++page) screen.press(ImGuiKey_PageDown);
    screen.press(ImGuiKey_PageDown);
    CHECK_FALSE(screen.at("w_query[1023,1023]").is_clipped);
    screen.type("5");
    screen.press(ImGuiKey_Enter);
    CHECK(at(screen, 1023, 1023) == 5);
}

TEST_CASE("a tap selects, a second tap types, a drag scrolls", "[edit]") {
    Screen screen({390, 844}, "view=edit&tensor=x&d_in=16");
    screen.surroundings.is_touch = true;
    screen.settle();
    screen.click("x[1,1]");
    CHECK_FALSE(screen.has("edit cell"));
    screen.click("x[1,1]");
    REQUIRE(screen.has("edit cell"));
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
    screen.press(ImGuiKey_A);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    screen.type("3");
    screen.press(ImGuiKey_Enter);
    CHECK(at(screen, 1, 1, TensorId::embeddings) == 3);
    const float before = screen.at("x[2,1]").min.x;
    const ImVec2 place = screen.middle("x[2,1]");
    screen.drag(place, {place.x - 60, place.y});
    CHECK(screen.at("x[2,1]").min.x < before - 40);
}

TEST_CASE("the editor stays inside every canvas and comes to rest", "[edit]") {
    const auto size = GENERATE(ImVec2(1280, 800), ImVec2(1440, 900), ImVec2(700, 700), ImVec2(390, 844));
    const auto* tensor = GENERATE(as<const char*>{}, "x", "w_query", "w_out", "b_out", "mask", "queries", "b_query");
    Screen screen(size, "view=edit&heads=4&d_out=64&d_in=3&tensor=" + std::string(tensor));
    CHECK(screen.state().view.view == ViewKind::edit);
    for (const UiItem& item : screen.items()) {
        const bool is_button = item.name.rfind("cells ", 0) == 0 || item.name.rfind("tensor=", 0) == 0;
        if (!is_button) continue;
        INFO(item.name);
        CHECK_FALSE(item.is_clipped);
        CHECK(item.max.x <= size.x);
    }
}

TEST_CASE("a phone shows some rows of the table, and a large screen a large map", "[edit]") {
    Screen screen({360, 583}, "text=The+cat+sat+on+the+mat&view=edit");
    screen.surroundings.is_touch = true;
    screen.surroundings.page_shows_sentence = true;
    screen.settle();
    int rows = 0;
    for (int row = 0; row < 8; ++row) {
        const UiItem* cell = screen.find(concat("w_query[", row, ",0]"));
        rows += cell != nullptr && !cell->is_clipped ? 1 : 0;
    }
    CHECK(rows >= 4);
    screen.surroundings.is_touch = false;
    screen.resize({1920, 1020});
    CHECK(screen.at("edit map").max.x - screen.at("edit map").min.x > 360);
}

TEST_CASE("a low canvas chooses the tensor in one line, and leaves rows in sight", "[edit]") {
    const auto [size, fewest] = GENERATE(table<ImVec2, int>({{ImVec2(844, 341), 3}, {ImVec2(320, 431), 2}}));
    CAPTURE(size.x);
    Screen screen(size, "text=The+cat+sat+on+the+mat&view=edit&tensor=x");
    screen.surroundings.is_touch = true;
    screen.surroundings.page_shows_sentence = true;
    screen.settle();
    int rows = 0;
    for (int row = 0; row < 6; ++row) {
        const UiItem* cell = screen.find(concat("x[", row, ",0]"));
        rows += cell != nullptr && !cell->is_clipped ? 1 : 0;
    }
    CHECK(rows >= fewest);
    screen.click("tensor+");
    CHECK(screen.state().view.tensor == TensorId::queries);
    screen.click("tensor-");
    CHECK(screen.state().view.tensor == TensorId::embeddings);
}

TEST_CASE("the cell that is walked to is told, and what a copy did", "[edit][focus]") {
    Screen screen({1280, 800}, "view=edit&tensor=w_query&edit=w_query[0,0]=0.5");
    for (int i = 0; i < 150 && screen.ui().focused_item() != "edit cells"; ++i) screen.press(ImGuiKey_Tab);
    screen.press(ImGuiKey_Enter);
    CHECK(screen.ui().focus_words().starts_with("w_query[0,0] = 0.5"));
    screen.press(ImGuiKey_DownArrow);
    CHECK(screen.ui().focus_words().starts_with("w_query[1,0] = "));
    screen.ui().take_said();
    screen.press_with_ctrl(ImGuiKey_C);
    CHECK(screen.ui().take_said() == std::vector<std::string>{"copied w_query[1,0]."});
    screen.click("cells copy");
    CHECK(screen.ui().take_said() == std::vector<std::string>{"copied w_query[1,0]."});
}
