// The stage strip.
#include "core/ground/check.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("a stage box chooses its stage", "[stages]") {
    Screen screen({1600, 900}, "dropout=0.2");
    for (const TensorId stage : present_stages(screen.state().inputs)) {
        const std::string name = concat("stage=", stage_info(stage).name);
        CAPTURE(name);
        screen.click(name);
        CHECK(screen.state().view.stage == stage);
    }
}

TEST_CASE("the boxes keep their place, whichever is chosen", "[stages]") {
    for (const float width : {1280.0F, 1600.0F}) {
        Screen screen({width, 800}, "stage=embeddings");
        const std::vector<UiItem> before = screen.items();
        screen.click("stage=weights");
        for (const UiItem& item : before) {
            if (!item.name.starts_with("stage=")) continue;
            CAPTURE(width, item.name);
            CHECK(screen.at(item.name).min.x == item.min.x);
            CHECK(screen.at(item.name).max.x == item.max.x);
        }
    }
}

TEST_CASE("only the stages that are there have a box", "[stages]") {
    Screen screen({1600, 900}, "out=0");
    CHECK_FALSE(screen.has("stage=output"));
    CHECK_FALSE(screen.has("stage=dropped_weights"));
    CHECK(screen.has("stage=queries"));
    CHECK(screen.has("stage=keys"));
    CHECK(screen.has("stage=values"));
}

TEST_CASE("the chosen stage is in sight on the narrowest phone", "[stages]") {
    Screen screen({360, 740});
    for (const TensorId stage : present_stages(screen.state().inputs)) {
        screen.state().view.stage = stage;
        screen.settle();
        const std::string name = concat("stage=", stage_info(stage).name);
        CAPTURE(name);
        CHECK_FALSE(screen.at(name).is_clipped);
    }
}

TEST_CASE("the wheel moves the stage strip along", "[stages]") {
    Screen screen({360, 740}, "stage=embeddings");
    REQUIRE(screen.at("stage=weights").is_clipped);
    screen.point_at("stage=embeddings");
    screen.scroll_to("stage=weights");
}

TEST_CASE("the stage under the keyboard's focus is chosen by Enter", "[stages]") {
    Screen screen({1600, 900});
    screen.click("stage=weights");
    screen.press(ImGuiKey_RightArrow);
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.stage == TensorId::context);
}

TEST_CASE("the strip says on which side it goes on, and goes there", "[stages]") {
    Screen screen({700, 740}, "stage=embeddings");
    REQUIRE(screen.at("stage=output").is_clipped);
    CHECK_FALSE(screen.has("stages<"));
    for (int press = 0; press < 6 && screen.has("stages>"); ++press) screen.click("stages>");
    CHECK_FALSE(screen.at("stage=output").is_clipped);
    CHECK_FALSE(screen.has("stages>"));
    REQUIRE(screen.has("stages<"));
    CHECK(screen.state().view.stage == TensorId::embeddings);  // a press there chooses nothing
    for (int press = 0; press < 6 && screen.has("stages<"); ++press) screen.click("stages<");
    CHECK_FALSE(screen.at("stage=embeddings").is_clipped);
    screen.resize({1600, 740});  // all is in sight
    CHECK_FALSE(screen.has("stages>"));
}
