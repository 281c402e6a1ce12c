// view=journey on the screen: layers that are opened, stops and heads that lead to their numbers, tokens, every width.
#include <algorithm>

#include "core/ground/check.h"
#include "playground/models/small_model.h"
#include "playground/state/origin.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;
using attn::test::ModelIsOpen;
using attn::test::small_model;

namespace {

constexpr const char* kJourneyOnScreen = "text=the+artist+painted+the+portrait&model=small&view=journey";

}  // namespace

TEST_CASE("a layer of the journey is opened by a press", "[journey-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({1280, 1600}, kJourneyOnScreen);
    CHECK(screen.has("stop=mlp_hidden"));
    CHECK(screen.state().inputs.layer == 0);
    screen.click("layer=2");
    CHECK(screen.state().inputs.layer == 1);
    CHECK(screen.state().view.view == ViewKind::journey);
    CHECK(screen.at("layer=2").min.y < screen.at("stop=mlp_hidden").min.y);
}

TEST_CASE("a stop and a head lead to their numbers", "[journey-view]") {
    const ModelIsOpen model(small_model());
    {
        Screen screen({1280, 1600}, concat(kJourneyOnScreen, "&layer=2&cell=1,2,0"));
        screen.click("stop=mlp_hidden");
        CHECK(screen.state().view.view == ViewKind::matrix);
        CHECK(screen.state().view.stage == TensorId::mlp_hidden);
        CHECK(screen.state().inputs.layer == 1);
        CHECK(pinned(screen).row == 2);
    }
    {
        Screen screen({1280, 1600}, kJourneyOnScreen);
        screen.click("stop=final_stream");  // of the last layer, whichever is open
        CHECK(screen.state().view.stage == TensorId::final_stream);
        CHECK(screen.state().inputs.layer == 1);
    }
    Screen screen({1280, 1600}, kJourneyOnScreen);
    screen.click("head=2");
    CHECK(screen.state().view.view == ViewKind::matrix);
    CHECK(screen.state().view.stage == TensorId::weights);
    CHECK(screen.state().view.head == 1);
    CHECK(pinned(screen).row == 4);
}

TEST_CASE("the journey of the token before is a press away", "[journey-view]") {
    const ModelIsOpen model(small_model());
    Screen screen({1280, 1600}, kJourneyOnScreen);
    screen.click("journey=after");  // there is none
    CHECK_FALSE(screen.state().view.cell.has_value());
    screen.click("journey=before");
    CHECK(pinned(screen).row == 3);
    CHECK(screen.state().view.view == ViewKind::journey);
    screen.click("journey=after");
    CHECK(pinned(screen).row == 4);
}

TEST_CASE("arrows walk over the lines of a journey, also on a small phone", "[journey-view]") {
    const ModelIsOpen model(small_model());
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(360, 640)}) {
        Screen screen(size, kJourneyOnScreen);
        const auto focused = [&](std::string_view name) {
            return screen.has(name) && ImGui::GetCurrentContext()->NavId == screen.at(name).id;
        };
        screen.scroll_to("layer=1");
        for (int k = 0; k < 200 && !focused("layer=1"); ++k) screen.press(ImGuiKey_Tab);
        REQUIRE(focused("layer=1"));
        screen.press(ImGuiKey_DownArrow);
        CHECK(focused("stop=embeddings"));
        screen.press(ImGuiKey_UpArrow);
        CHECK(focused("layer=1"));
    }
}

TEST_CASE("the journey is drawn at every width, light and dark, with a model of every kind", "[journey-view]") {
    for (const auto& [name, checkpoint] : attn::test::all_checkpoints()) {
        const ModelIsOpen model(small_model("small", checkpoint));
        for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(360, 640)}) {
            for (const char* keys : {"", "&off=1:1,2:*&theme=dark&layer=2", "&text=the"}) {
                CAPTURE(name, size.x, keys);
                Screen screen(size, concat(kJourneyOnScreen, keys));
                CHECK(screen.has("layer=1"));
                for (const UiItem& item : screen.items())
                    if (item.name.starts_with("layer=")) CHECK(item.max.x <= size.x);
            }
        }
    }
}

TEST_CASE("the journey is opened beside the stream, and a model is opened in it", "[journey-view]") {
    {
        const ModelIsOpen model(small_model());
        Screen screen({1280, 1600}, "text=the+artist+painted&model=small&view=model");
        screen.click("model=journey");
        CHECK(screen.state().view.view == ViewKind::journey);
        CHECK(screen.has("layer=1"));
    }
    Screen empty({1280, 800}, "view=journey");
    CHECK_FALSE(empty.has("layer=1"));
    empty.click("model=first-words");
    CHECK(empty.state().inputs.model == kFirstWords.name);
    CHECK(empty.state().view.view == ViewKind::journey);
    CHECK(empty.has("layer=1"));
}
