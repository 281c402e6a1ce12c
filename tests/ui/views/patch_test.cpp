// view=patch on the screen: a second text, cells that are patched by a press, the way to their numbers, every width.
#include <algorithm>

#include "core/ground/check.h"
#include "playground/link/patch_keys.h"
#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "playground/state/origin.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;
using attn::test::ModelIsOpen;
using attn::test::small_model;

namespace {

constexpr const char* kOneText = "text=the+artist+painted+the+portrait&model=small&view=patch";
constexpr const char* kPatchOnScreen =
    "text=the+artist+painted+the+portrait&model=small&view=patch&compare=text%3Dthe%2Bwoman%2Bpainted%26model%3Dsmall";

}  // namespace

TEST_CASE("a cell of the maps is patched by a press, and taken out by another one", "[patch-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({1280, 1600}, kPatchOnScreen);
    CHECK(screen.has("stream=2.3"));
    CHECK_FALSE(screen.has("stream=2.4"));  // the second text is shorter
    screen.click("stream=2.3");
    CHECK(write_patches(screen.state().inputs.patches) == "stream.2@3");
    CHECK(screen.state().view.view == ViewKind::patch);
    screen.click("head=1.2");  // in its place
    CHECK(write_patches(screen.state().inputs.patches) == "1:2@*");
    screen.click("head=1.2");
    CHECK(screen.state().inputs.patches.empty());
    screen.click("stream=1.2");
    CHECK(model_in_summary(screen.state().inputs) == "small, layer 1, 1 patch");
    screen.click("patch=");
    CHECK(screen.state().inputs.patches.empty());
}

TEST_CASE("a patch leads to its numbers", "[patch-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({1280, 1600}, concat(kPatchOnScreen, "&patch=stream.2@3"));
    screen.click("patch=numbers");
    CHECK(screen.state().view.view == ViewKind::matrix);
    CHECK(screen.state().view.stage == TensorId::before);
    CHECK(pinned(screen).row == 2);
}

TEST_CASE("the second text is typed, and what was typed of it stays", "[patch-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({1280, 1600}, kOneText);
    CHECK_FALSE(screen.has("stream=1.1"));
    screen.click("other text");
    ImGui::GetIO().AddInputCharactersUTF8(" woman");
    screen.frame();
    screen.settle();
    CHECK(shown_sentence(read_link(screen.state().view.compare).state).find("woman") != std::string::npos);
    CHECK(read_link(screen.state().view.compare).state.inputs.model == "small");
    CHECK(screen.has("stream=1.1"));
}

TEST_CASE("cells can be locked, and every size has all of them", "[patch-view]") {
    const ModelIsOpen model(small_model());
    {
        Screen screen({1280, 1600}, concat(kPatchOnScreen, "&lock=patch"));
        screen.click("stream=1.1");
        CHECK(screen.state().inputs.patches.empty());
    }
    for (const auto& [width, height] :
         {std::pair(360.0F, 640.0F), std::pair(844.0F, 390.0F), std::pair(1920.0F, 1080.0F)}) {
        INFO(width);
        Screen screen({width, height}, kPatchOnScreen);
        for (const char* name : {"stream=1.1", "stream=2.3", "head=2.3"}) {
            INFO(name);
            REQUIRE(screen.has(name));
            CHECK(screen.at(name).max.x <= width);
            CHECK(screen.at(name).max.y - screen.at(name).min.y >= 24);
        }
    }
}
