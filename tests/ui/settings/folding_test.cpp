// Groups of settings: what is open, and what a press folds.
#include "ui/settings/folding.h"

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("a press opens a folded group and folds an open one", "[settings]") {
    Screen screen({1280, 1400});
    CHECK(screen.has("heads+"));
    CHECK_FALSE(screen.has("kv_heads+"));
    CHECK_FALSE(screen.has("pos=rope"));
    CHECK_FALSE(screen.has("goal=next"));
    const PlaygroundState before = screen.state();
    screen.click("group=variants");
    CHECK(screen.has("kv_heads+"));
    screen.click("group=variants");
    CHECK_FALSE(screen.has("kv_heads+"));
    screen.click("group=attention");
    CHECK_FALSE(screen.has("heads+"));
    CHECK(screen.state() == before);  // it is in no link
}

TEST_CASE("the keyboard folds groups, and a screen reader hears what they are", "[settings][focus]") {
    Screen screen({1280, 1400});
    ImGui::GetCurrentContext()->NavId = screen.at("group=positions").id;
    ImGui::SetNavCursorVisible(true);
    screen.frame();
    CHECK(screen.ui().focus_words() == "settings, Positions, folded: sin, RoPE, ALiBi");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.has("pos=rope"));
    CHECK(screen.ui().focus_words() == "settings, Positions, open");
    screen.press(ImGuiKey_Space);
    CHECK_FALSE(screen.has("pos=rope"));
}

TEST_CASE("a group that comes to hold a value opens, and stays open when the value goes", "[settings]") {
    Screen screen({1280, 1400});
    CHECK_FALSE(screen.has("kv_heads+"));
    screen.state().inputs.num_kv_heads = 1;
    screen.settle();
    CHECK(screen.has("kv_heads+"));
    screen.click("kv_heads+");
    CHECK(screen.state().inputs.num_kv_heads == 0);
    CHECK(screen.has("kv_heads+"));  // nothing moves away from the pointer
    screen.click("group=variants");
    CHECK_FALSE(screen.has("kv_heads+"));
}

TEST_CASE("a group that the visitor folds stays folded though it holds a value", "[settings]") {
    Screen screen({1280, 1400}, "pos=rope");
    CHECK(screen.has("rope_base+"));
    screen.click("group=positions");
    CHECK_FALSE(screen.has("rope_base+"));
    screen.click("heads+");
    CHECK_FALSE(screen.has("rope_base+"));
}

TEST_CASE("a trained model folds all settings, and the lesson about it none", "[settings][model]") {
    {
        Screen screen({1280, 1000}, "view=model&model=first-words&layer=2");
        CHECK(screen.has("group=input"));
        CHECK(screen.has("group=model"));
        CHECK_FALSE(screen.has("sentences+"));
        CHECK_FALSE(screen.has("model="));
        screen.click("group=model");
        CHECK(screen.has("model="));
        screen.click("model=");  // random matrices
        CHECK(screen.has("heads+"));
    }
    for (const char* link : {"lesson=votes", "model=first-words&layer=2&lock=layer"}) {
        CAPTURE(link);
        Screen screen({1280, 1000}, link);
        CHECK(screen.has("model="));
        CHECK(screen.has("sentences+"));
    }
}

TEST_CASE("in a lesson every group is open, and one that was folded opens for the step that speaks of it",
          "[settings][lessons]") {
    {
        Screen screen({1280, 1600}, "lesson=groups");
        for (const char* item : {"kv_heads+", "pos=rope", "goal=next", "heads+", "sentences+"}) CHECK(screen.has(item));
    }
    Screen trainable({1280, 1600}, "lesson=trainable&step=9");
    trainable.click("group=attention");
    CHECK_FALSE(trainable.has("init=torch.linear"));
    trainable.click("step+");  // it points at init
    CHECK(trainable.has("init=torch.linear"));
}

TEST_CASE("what was folded opens when a lesson begins, and stays folded when the visitor folds it there",
          "[settings][lessons]") {
    Screen screen({1280, 1600}, "heads=4&d_out=8&kv_heads=2");
    screen.click("group=variants");
    CHECK_FALSE(screen.has("kv_heads+"));
    screen.state() = read_link("lesson=groups&step=2").state;
    screen.settle();
    CHECK(screen.has("kv_heads+"));
    screen.click("group=positions");
    CHECK_FALSE(screen.has("pos=rope"));
    screen.click("heads+");
    CHECK_FALSE(screen.has("pos=rope"));
}

TEST_CASE("on a page whose author locked something the settings are open", "[settings]") {
    {
        Screen screen({1280, 1600}, "lock=seed");
        CHECK(screen.has("kv_heads+"));
        CHECK(screen.has("pos=rope"));
    }
    Screen hidden({1280, 1600}, "hide=control.pos,control.rope_pairs,control.rope_base,control.pos_shift");
    CHECK_FALSE(hidden.has("group=positions"));
    CHECK(hidden.has("kv_heads+"));
}

TEST_CASE("the view Learning opens its settings", "[settings][learn]") {
    Screen screen({1280, 1000});
    CHECK_FALSE(screen.has("goal=pattern"));
    screen.click("view=learn");
    CHECK(screen.has("goal=pattern"));
}
