// Undo and redo by buttons and keys, on the whole screen.
#include <catch_amalgamated.hpp>

#include "ui/screen.h"

using namespace attn;
using attn::testing::Screen;

namespace {

void press_redo(Screen& screen) {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, true);
    screen.press_with_ctrl(ImGuiKey_Z);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, false);
    screen.settle();
}

}  // namespace

TEST_CASE("the keys undo and redo wherever the focus is", "[undo]") {
    Screen screen;
    screen.click("heads+");
    screen.rest();
    screen.click("d_in+");
    screen.rest();
    CHECK(screen.state().inputs.num_heads == 4);
    CHECK(screen.state().inputs.d_in == 9);
    screen.press_with_ctrl(ImGuiKey_Z);
    CHECK(screen.state().inputs.d_in == 8);
    CHECK(screen.state().inputs.num_heads == 4);
    screen.press_with_ctrl(ImGuiKey_Z);
    CHECK(screen.state().inputs == Inputs());
    screen.press_with_ctrl(ImGuiKey_Z);  // no more than there is
    CHECK(screen.state().inputs == Inputs());
    press_redo(screen);
    CHECK(screen.state().inputs.num_heads == 4);
    screen.press_with_ctrl(ImGuiKey_Y);
    CHECK(screen.state().inputs.d_in == 9);
}

TEST_CASE("the buttons undo and redo, and are disabled where there is nothing", "[undo]") {
    Screen screen;
    screen.click("undo");
    CHECK(screen.state().inputs == Inputs());
    screen.click("heads+");
    screen.rest();
    screen.click("redo");
    CHECK(screen.state().inputs.num_heads == 4);
    screen.click("undo");
    CHECK(screen.state().inputs.num_heads == 2);
    screen.click("redo");
    CHECK(screen.state().inputs.num_heads == 4);
}

TEST_CASE("a field that is typed in keeps the keys for itself", "[undo]") {
    Screen screen;
    screen.click("heads+");
    screen.rest();
    screen.click("text");
    screen.type("x");
    screen.press_with_ctrl(ImGuiKey_Z);
    CHECK(screen.state().inputs.num_heads == 4);
}

TEST_CASE("a sentence that was emptied comes back", "[undo]") {
    Screen screen;
    screen.state().inputs.texts[0] = "";
    screen.settle();
    screen.rest();
    REQUIRE(screen.evaluation().is_empty());
    screen.click("undo");
    CHECK(screen.state().inputs.texts == Inputs().texts);
}

TEST_CASE("undo leads through every kind of step with the panels on", "[undo]") {
    Screen screen({1280, 800}, "dropout=0.5&stage=dropped_weights&cell=2,10,10&head=2");
    screen.state().inputs.texts[0] = "a b";
    screen.settle();
    screen.rest();
    screen.state().inputs.dropout = 0;
    screen.settle();
    screen.rest();
    screen.state().view.cell = Cell{.head = 1, .row = 1, .column = 1};
    screen.settle();
    for (int i = 0; i < 3; ++i) screen.press_with_ctrl(ImGuiKey_Z);
    CHECK(screen.state().inputs.texts == Inputs().texts);
    CHECK(screen.state().inputs.dropout == 0.5);
    for (int i = 0; i < 3; ++i) press_redo(screen);
    CHECK(screen.state().inputs.texts[0] == "a b");
}

TEST_CASE("a phone has undo beside the edits of its settings", "[undo]") {
    Screen screen({390, 844});
    CHECK_FALSE(screen.has("undo"));
    screen.state().inputs.seed = 5;
    screen.settle();
    screen.rest();
    screen.click("settings");
    screen.point_at("heads+");
    screen.scroll_to("undo");
    screen.click("undo");
    CHECK(screen.state().inputs.seed == Inputs().seed);
}
