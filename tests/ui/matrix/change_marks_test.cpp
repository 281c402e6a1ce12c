// What typed numbers changed, in the words the panels show.
#include "ui/matrix/change_marks.h"

#include <catch_amalgamated.hpp>

#include "playground/link/state_url.h"
#include "ui/screen.h"

using namespace attn;
using attn::testing::Screen;

TEST_CASE("the legend of a changed stage fits every canvas", "[changes]") {
    const auto size = GENERATE(ImVec2(1280, 800), ImVec2(700, 800), ImVec2(390, 844));
    const auto lowest_cell = [&](const char* link) { return Screen(size, link).at("cells").max.y; };
    CHECK(lowest_cell("bias=1&edit=w_query[0,1]=0.5") <= lowest_cell("bias=1"));
}

TEST_CASE("a pinned number that was typed over can be reverted where it is explained", "[changes]") {
    Screen screen({1280, 800}, "stage=embeddings&cell=1,2,3&edit=x[2,3]=0.5&edit=w_key[0,0]=1");
    screen.click("edit revert");
    CHECK(screen.state().inputs.edits.size() == 1);
    CHECK_FALSE(screen.has("edit revert"));
}

TEST_CASE("all typed numbers are reverted from the inspector", "[changes]") {
    Screen screen({1280, 800}, "stage=embeddings&cell=1,2,3&edit=x[2,3]=0.5&edit=w_key[0,0]=1");
    screen.click("edit revert all");
    CHECK(screen.state().inputs.edits.empty());
}

TEST_CASE("a query is typed over in its head's own column", "[changes]") {
    Screen screen({1280, 800}, "stage=queries&cell=2,3,1&d_out=4&heads=2");
    screen.click("edit");
    screen.press_with_ctrl(ImGuiKey_A);
    screen.type("0.75");
    screen.press(ImGuiKey_Enter);
    REQUIRE(screen.state().inputs.edits.size() == 1);
    const Edit& edit = screen.state().inputs.edits.front();
    CHECK(edit.tensor == TensorId::queries);
    CHECK(edit.row == 3);
    CHECK(edit.column == 3);  // channel 1 of the second head of two channels
    CHECK(screen.evaluation().trace.query(1, 3, 1) == 0.75F);
}
