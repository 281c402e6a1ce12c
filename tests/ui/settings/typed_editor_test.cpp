// The table of typed embeddings.
#include "core/ground/check.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

std::string clipboard;

void give_clipboard(std::string text) {
    clipboard = std::move(text);
    ImGui::GetPlatformIO().Platform_GetClipboardTextFn = [](ImGuiContext*) { return clipboard.c_str(); };
}

constexpr const char* kTypedLink = "text=one+two+three&embed=typed&x=1,2;3,4;5,6&d_in=2";

}  // namespace

TEST_CASE("a cell of the table is typed over", "[typed-editor]") {
    Screen screen({1280, 1200}, kTypedLink);
    screen.click("x");
    screen.click("x[1,0]");
    screen.press_with_ctrl(ImGuiKey_A);
    screen.type("-7.5");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.typed[0] == TypedRows{{1, 2}, {-7.5F, 4}, {5, 6}});
    screen.click("x=done");
    CHECK_FALSE(screen.has("x[1,0]"));
}

TEST_CASE("text in a cell is refused and the number stays", "[typed-editor][bad-input]") {
    Screen screen({1280, 1200}, kTypedLink);
    screen.click("x");
    screen.click("x[0,1]");
    screen.press_with_ctrl(ImGuiKey_A);
    screen.type("nan");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.typed[0] == TypedRows{{1, 2}, {3, 4}, {5, 6}});
    CHECK(screen.notes().size() == 1);
}

TEST_CASE("a block is pasted into the cell that has the focus", "[typed-editor]") {
    Screen screen({1280, 1200}, kTypedLink);
    give_clipboard("0.1\t0.2\n0.3\t0.4\n");
    screen.click("x");
    screen.click("x[1,0]");
    screen.press_with_ctrl(ImGuiKey_V);
    CHECK(screen.state().inputs.typed[0] == TypedRows{{1, 2}, {0.1F, 0.2F}, {0.3F, 0.4F}});
    CHECK(screen.notes().empty());
}

TEST_CASE("a comma between digits is a decimal point where it is typed, and asked about where it is pasted",
          "[typed-editor]") {
    Screen screen({1280, 1200}, kTypedLink);
    screen.click("x");
    screen.click("x[1,0]");
    screen.press_with_ctrl(ImGuiKey_A);
    screen.type("0,5");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.typed[0] == TypedRows{{1, 2}, {0.5F, 4}, {5, 6}});
    give_clipboard("0,25\n7,5");
    screen.click("x=paste");
    REQUIRE(screen.has("offer=1"));
    screen.click("offer=1");
    CHECK(screen.state().inputs.typed[0] == TypedRows{{0.25F, 2}, {7.5F, 4}, {5, 6}});
}

TEST_CASE("rows are pasted by the button, without a keyboard", "[typed-editor]") {
    Screen screen({1280, 1200}, kTypedLink);
    screen.click("x");
    give_clipboard("9 8; 7 6");
    screen.click("x=paste");
    CHECK(screen.state().inputs.typed[0] == TypedRows{{9, 8}, {7, 6}, {5, 6}});
    give_clipboard("no numbers");
    screen.click("x=paste");
    CHECK(screen.state().inputs.typed[0] == TypedRows{{9, 8}, {7, 6}, {5, 6}});
    CHECK(screen.notes().size() == 1);
}

TEST_CASE("a large table draws only the cells in sight", "[typed-editor]") {
    std::string link = "embed=typed&d_in=1024&d_out=4&x=1&text=";
    for (int i = 0; i < 300; ++i) link += concat("w", i, "+");
    Screen screen({1280, 800}, link);
    screen.scroll_to("d_in");  // nothing may stand still at the top
    screen.click("x");
    int num_cells = 0;
    for (const UiItem& item : screen.items()) num_cells += item.name.starts_with("x[") ? 1 : 0;
    CHECK(num_cells > 50);
    CHECK(num_cells < 500);
}
