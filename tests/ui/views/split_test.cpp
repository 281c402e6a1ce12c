// view=split: the phases, their stepper, and numbers on their way that come to rest.
#include "core/ground/check.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("Back and Next walk the three shapes", "[split]") {
    Screen screen({1280, 800}, "view=split&stage=queries");
    CHECK(screen.state().view.phase == 0);
    screen.click("phase-");
    CHECK(screen.state().view.phase == 0);
    screen.click("phase+");
    screen.click("phase+");
    CHECK(screen.state().view.phase == 2);
    screen.click("phase+");
    CHECK(screen.state().view.phase == 2);
    screen.click("phase=2");
    CHECK(screen.state().view.phase == 1);
}

TEST_CASE("the numbers move for about 0.6 seconds, then nothing moves", "[split]") {
    Screen screen({1280, 800}, "view=split&stage=queries");
    screen.state().view.phase = 1;
    int before = screen.num_frames;
    screen.settle();
    const int num_frames = screen.num_frames - before;  // at 60 a second
    CHECK(num_frames > 30);
    CHECK(num_frames < 50);
    before = screen.num_frames;
    screen.settle();
    CHECK(screen.num_frames == before + 1);
}

TEST_CASE("under reduced motion the pictures are still", "[split]") {
    Screen screen({1280, 800}, "view=split&stage=queries");
    screen.surroundings.reduces_motion = true;
    screen.settle();
    CHECK_FALSE(screen.has("phase=play"));
    screen.state().view.phase = 1;
    const int before = screen.num_frames;
    screen.settle();
    CHECK(screen.num_frames - before < 10);
}

TEST_CASE("Play goes from the first shape to the last and stops there", "[split]") {
    Screen screen({1280, 800}, "view=split&stage=queries&phase=2");
    screen.point_at("phase=play");
    screen.hold(true);
    screen.hold(false);
    CHECK(screen.state().view.phase == 0);
    int num_frames = 0;
    while (!screen.has("phase=play") && num_frames < 600) {
        screen.frame();
        ++num_frames;
    }
    CHECK(screen.state().view.phase == 2);
    CHECK(num_frames > 100);  // it rests at each shape
    CHECK(num_frames < 300);
    screen.settle();
}

TEST_CASE("the tensor follows the stage, and the chips choose it", "[split]") {
    Screen screen({1280, 800}, "view=split&stage=queries");
    screen.click("split=values");
    CHECK(screen.state().view.stage == TensorId::values);
    screen.click("split=context");
    CHECK(screen.state().view.stage == TensorId::context);
    screen.click("stage=keys");
    CHECK(screen.state().view.stage == TensorId::keys);
    CHECK(screen.state().view.view == ViewKind::split);
}

TEST_CASE("a tensor that a link leaves out is not offered", "[split]") {
    {
        Screen screen({1280, 800}, "view=split&hide=stage.queries");
        CHECK_FALSE(screen.has("split=queries"));
        screen.click("split=keys");
        CHECK(screen.state().view.stage == TensorId::keys);
        CHECK(screen.has("split=context"));
    }
    const Screen without({1280, 800}, "view=split&hide=stage.queries,stage.keys,stage.values,stage.context");
    CHECK_FALSE(without.has("split=values"));
    CHECK(without.has("phase=1"));
}

TEST_CASE("every shape is drawn at every width", "[split]") {
    for (const ImVec2 size : {ImVec2(1440, 900), ImVec2(700, 800), ImVec2(390, 844)}) {
        for (const char* inputs : {"", "&text=one", "&heads=12&d_out=48", "&d_out=64&heads=1", "&heads=1&d_out=1",
                                   "&text=a+b&text=c+d", "&init=none&d_out=8"}) {
            for (const char* phase : {"1", "2", "3"}) {
                CAPTURE(size.x, inputs, phase);
                Screen screen(size, concat("view=split&stage=context&phase=", phase, inputs));
                CHECK(screen.has(concat("phase=", phase)));
            }
        }
    }
}

TEST_CASE("numbers that a link leaves out are question marks on the screen, too", "[split]") {
    const std::string split = "view=split&stage=embeddings&text=one+two+three&d_out=6&heads=3";
    const auto corners_of = [](const std::string& link) { return Screen({1280, 800}, link).corners_in("split"); };
    const auto numbers = corners_of(split);
    const auto blanks = corners_of(split + "&hide=stage.queries");
    REQUIRE(blanks.size() > 100);
    CHECK(blanks.size() < numbers.size());
    CHECK_FALSE((corners_of(split + "&seed=5") == numbers));
    CHECK((corners_of(split + "&seed=5&hide=stage.queries") == blanks));  // they are the same for any numbers
}
