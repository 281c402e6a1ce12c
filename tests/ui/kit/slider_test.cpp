// The slider on the screen: dragged, caught by its marks, moved by arrow keys.
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("a slider goes where it is dragged to, on a logarithmic line", "[slider]") {
    Screen screen({1280, 800}, "view=softmax");
    const UiItem slider = screen.at("slider=gain");
    const float y = slider.min.y + 14;  // the line, above the labels
    screen.drag({(slider.min.x + slider.max.x) / 2, y}, {slider.max.x - 2, y});
    CHECK(screen.state().view.gain == 20);
    screen.drag({slider.max.x - 10, y}, {slider.min.x + 2, y});
    CHECK(screen.state().view.gain == 0.1);
    // The middle of the line from 0.1 to 20 is their geometric mean, 1.41.
    screen.click({(slider.min.x + slider.max.x) / 2, y});
    CHECK(screen.state().view.gain == Catch::Approx(1.4));
}

TEST_CASE("a mark catches the pointer nearby", "[slider]") {
    Screen screen({1280, 800}, "view=softmax");
    const UiItem slider = screen.at("slider=gain");
    const float radius = 8;
    const float left = slider.min.x + radius;
    const float width = slider.max.x - slider.min.x - 2 * radius;
    const float eight = left + width * std::log(8 / 0.1F) / std::log(20 / 0.1F);
    screen.click({eight + 3, slider.min.y + 14});
    CHECK(screen.state().view.gain == 8);
}

namespace {

void walk_to_slider(Screen& screen) {
    for (int k = 0; k < 400 && screen.ui().focused_item() != "slider=pairs_dim"; ++k) screen.press(ImGuiKey_Tab);
    REQUIRE(screen.ui().focused_item() == "slider=pairs_dim");
}

}  // namespace

TEST_CASE("an arrow that walks over a slider leaves its number, which is told", "[slider][focus]") {
    Screen screen({1280, 800}, "view=dots&pairs=20&pairs_dim=64");
    walk_to_slider(screen);
    CHECK(screen.ui().focus_words() == "d: 64, slider");
    for (const ImGuiKey key : {ImGuiKey_RightArrow, ImGuiKey_LeftArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow}) {
        walk_to_slider(screen);
        screen.press(key);
        screen.press(key);
        CHECK(screen.state().view.pairs_dim == 64);
    }
}

TEST_CASE("Enter takes the slider, Escape and Enter give it back, and so does whoever walks on", "[slider][focus]") {
    Screen screen({1280, 800}, "view=dots&pairs=20&pairs_dim=64");
    walk_to_slider(screen);
    for (const ImGuiKey end : {ImGuiKey_Escape, ImGuiKey_Enter}) {
        screen.state().view.pairs_dim = 64;
        screen.press(ImGuiKey_Enter);
        screen.press(ImGuiKey_RightArrow);
        CHECK(screen.ui().focus_words() == "d: 65, moved by the arrows");
        screen.press(end);
        CHECK(screen.ui().focus_words() == "d: 65, slider");
        CHECK(screen.ui().focused_item() == "slider=pairs_dim");
    }
    screen.press(ImGuiKey_Enter);
    screen.press(ImGuiKey_Tab);
    walk_to_slider(screen);
    screen.press(ImGuiKey_RightArrow);
    CHECK(screen.state().view.pairs_dim == 65);
}

TEST_CASE("the arrow keys move the slider that was taken, and not the focus", "[slider]") {
    Screen screen({1280, 800}, "view=dots&pairs=20&pairs_dim=64");
    walk_to_slider(screen);
    screen.press(ImGuiKey_Enter);
    screen.press(ImGuiKey_RightArrow);
    screen.press(ImGuiKey_RightArrow);
    CHECK(screen.state().view.pairs_dim == 66);
    screen.press(ImGuiKey_LeftArrow);
    CHECK(screen.state().view.pairs_dim == 65);
    CHECK(ImGui::GetCurrentContext()->NavId == screen.at("slider=pairs_dim").id);
    screen.press(ImGuiKey_DownArrow);  // the others still walk on
    CHECK(screen.state().view.pairs_dim == 65);
}
