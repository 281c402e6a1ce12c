// view=lens on the screen: cells that are pressed and walked with arrows, words, channels, models of every kind.
#include <algorithm>

#include "core/ground/check.h"
#include "model/roles/lens.h"
#include "playground/models/small_model.h"
#include "playground/state/origin.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;
using attn::test::ModelIsOpen;
using attn::test::small_model;

namespace {

constexpr const char* kLensOnScreen = "text=the+artist+painted+the+portrait&model=small&view=lens";

// The first item whose name begins so.
std::string first_item(const Screen& screen, std::string_view beginning) {
    for (const UiItem& item : screen.items())
        if (item.name.starts_with(beginning) && !item.is_clipped) return item.name;
    FAIL("no item " << beginning);
    return {};
}

bool has_cells(const Screen& screen, std::string_view beginning) {
    return std::ranges::any_of(screen.items(), [&](const UiItem& item) { return item.name.starts_with(beginning); });
}

}  // namespace

TEST_CASE("a cell of the lens is opened by a press, and its word asked for", "[lens-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({1280, 1600}, kLensOnScreen);
    CHECK(screen.has("lens=2.4"));
    CHECK_FALSE(screen.has("lens=3.4"));
    CHECK_FALSE(screen.has("lens=earlier"));  // all positions have room
    screen.click("lens=1.2");
    CHECK(screen.state().view.lens == 1);
    CHECK(pinned(screen).row == 2);
    CHECK(screen.state().view.view == ViewKind::lens);
    const std::string word = first_item(screen, "word=");
    screen.click(word);
    CHECK(screen.state().view.word == word.substr(5));
    CHECK(screen.has("word="));
    screen.click("word=");
    CHECK(screen.state().view.word.empty());
}

TEST_CASE("a channel of the sum is pressed, and its number is made below", "[lens-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({1280, 1600}, concat(kLensOnScreen, "&lens=1"));
    std::vector<std::string> channels;
    for (const UiItem& item : screen.items())
        if (item.name.starts_with("channel=")) channels.push_back(item.name);
    REQUIRE(channels.size() == 8);
    const auto before = screen.corners_in("lens");
    screen.click(channels[3]);
    screen.point_at({1, 1});
    CHECK(screen.corners_in("lens") != before);
    CHECK(screen.state().view.lens == 1);  // no choice that a link keeps
}

TEST_CASE("arrows walk over the cells of the lens, also on a small phone", "[lens-view]") {
    const ModelIsOpen model(small_model());
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(360, 640)}) {
        Screen screen(size, concat(kLensOnScreen, "&lens=0&cell=1,1,0"));
        screen.scroll_to("lens=1.1");
        const auto focused = [&](std::string_view name) {
            return ImGui::GetCurrentContext()->NavId == screen.at(name).id;
        };
        for (int k = 0; k < 200 && !focused("lens=0.1"); ++k) screen.press(ImGuiKey_Tab);
        REQUIRE(focused("lens=0.1"));
        screen.press(ImGuiKey_DownArrow);
        CHECK(focused("lens=1.1"));
        screen.press(ImGuiKey_RightArrow);
        CHECK(focused("lens=1.2"));
        screen.press(ImGuiKey_LeftArrow);
        screen.press(ImGuiKey_UpArrow);
        CHECK(focused("lens=0.1"));
        screen.press(ImGuiKey_DownArrow);
        screen.press(ImGuiKey_Enter);
        CHECK(screen.state().view.lens == 1);
        CHECK(pinned(screen).row == 1);
    }
}

TEST_CASE("positions that have no room are a press away", "[lens-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({360, 640}, "text=the+artist+painted+the+portrait+of+a+woman&model=small&view=lens");
    CHECK(screen.has("lens=2.7"));
    CHECK_FALSE(screen.has("lens=2.0"));
    screen.scroll_to("lens=earlier");
    screen.click("lens=earlier");
    screen.click("lens=earlier");
    CHECK(screen.state().view.cell->row == 0);
    CHECK(screen.has("lens=2.0"));
    CHECK_FALSE(screen.has("lens=2.7"));
    screen.scroll_to("lens=later");
    screen.click("lens=later");
    CHECK(screen.state().view.cell->row > 0);
    for (const UiItem& item : screen.items())
        if (item.name.starts_with("lens=")) CHECK(item.max.x <= 360);
}

TEST_CASE("the lens is drawn at every width, light and dark, with a model of every kind", "[lens-view]") {
    for (const auto& [name, checkpoint] : attn::test::all_checkpoints()) {
        const ModelIsOpen model(small_model("small", checkpoint));
        const bool has_lens = find_lens_problem(model->model().weights).empty();
        for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(360, 640)}) {
            for (const char* keys : {"", "&off=1:1,2:*&theme=dark&lens=0", "&text=the&word=brush"}) {
                CAPTURE(name, size.x, keys);
                Screen screen(size, concat(kLensOnScreen, keys));
                CHECK(has_cells(screen, "lens=0.") == has_lens);
            }
        }
    }
}

TEST_CASE("the lens is opened beside the stream, and a model is opened in it", "[lens-view]") {
    {
        const ModelIsOpen model(small_model());
        Screen screen({1280, 1600}, "text=the+artist+painted&model=small&view=model");
        screen.click("model=lens");
        CHECK(screen.state().view.view == ViewKind::lens);
        CHECK(screen.has("lens=1.0"));
    }
    Screen empty({1280, 800}, "view=lens");
    CHECK_FALSE(empty.has("lens=0.0"));
    empty.click("model=first-words");
    CHECK(empty.state().inputs.model == kFirstWords.name);
    CHECK(empty.state().view.view == ViewKind::lens);
    CHECK(has_cells(empty, "lens=2."));
}

TEST_CASE("another layer's attention does not compute the lens again", "[lens-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({1280, 1600}, kLensOnScreen);
    const auto before = screen.corners_in("lens");
    screen.state().inputs.layer = 1;
    screen.settle();
    CHECK(screen.corners_in("lens") == before);
}
