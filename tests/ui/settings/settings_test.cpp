// The settings, worked by pointer and keyboard.
#include "ui/settings/settings.h"

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("every choice of a setting can be chosen", "[settings]") {
    Screen screen({1280, 1400});
    screen.point_at("mask=none");
    screen.click("mask=none");
    CHECK(screen.state().inputs.mask == Mask::none);
    screen.click("mask=causal");
    CHECK(screen.state().inputs.mask == Mask::causal);
    screen.click("tokens=chars");
    CHECK(screen.state().inputs.tokens == TokenKind::chars);
    screen.click("group=positions");
    screen.click("pos=none");
    CHECK(screen.state().inputs.positions == Positions::none);
    screen.click("scale=dim");
    CHECK(screen.state().inputs.scale == Scale::dim);
    for (const char* init : {"init=torch.rand", "init=torch.randn", "init=identity", "init=torch.linear"}) {
        screen.click(init);
        CHECK(concat("init=", key_info("init").write(screen.state()).front()) == init);
    }
    CHECK(screen.notes().empty());
}

TEST_CASE("a stepper goes by legal values and stops at its end", "[settings]") {
    Screen screen({1280, 1400}, "d_out=12&heads=1");
    for (const int wanted : {2, 3, 4, 6, 12}) {
        screen.click("heads+");
        CHECK(screen.state().inputs.num_heads == wanted);
    }
    for (const int wanted : {6, 4, 3, 2, 1, 1}) {
        screen.click("heads-");
        CHECK(screen.state().inputs.num_heads == wanted);
    }
    CHECK(screen.notes().empty());
}

TEST_CASE("rotary positions bring their pairs, their base and a shift along", "[settings]") {
    Screen screen({1280, 1800});
    screen.click("group=positions");
    CHECK_FALSE(screen.has("pos_shift+"));
    screen.click("pos=rope");
    screen.click("rope_pairs=neighbours");
    screen.click("rope_base+");
    screen.click("pos_shift+");
    CHECK(screen.state().inputs.positions == Positions::rope);
    CHECK(screen.state().inputs.rope_pairs == RotaryPairs::neighbours);
    CHECK(screen.state().inputs.rope_base == 100000);
    CHECK(screen.state().inputs.pos_shift == 1);
    CHECK(screen.notes().empty());
    screen.click("pos=alibi");
    CHECK_FALSE(screen.has("pos_shift+"));
}

TEST_CASE("a window has sinks, and takes them along when it goes", "[settings]") {
    Screen screen({1280, 1400});
    screen.click("group=variants");
    CHECK_FALSE(screen.has("mask_sinks+"));
    screen.click("mask_window+");
    screen.click("mask_sinks+");
    CHECK(screen.state().inputs.mask_window == 1);
    CHECK(screen.state().inputs.mask_sinks == 1);
    screen.click("mask_window-");
    CHECK(screen.state().inputs == Inputs());
    CHECK(screen.notes().empty());
}

TEST_CASE("a learned sink is a switch, which goes where the mask comes after the softmax", "[settings][sink]") {
    Screen screen({1280, 1500});
    screen.click("group=variants");
    screen.click("sink_logits");
    CHECK(screen.state().inputs.sink_logits);
    screen.click("sink_logits");
    CHECK(screen.state().inputs == Inputs());
    screen.click("sink_logits");
    screen.click("mask_at=raw");
    CHECK_FALSE(screen.state().inputs.sink_logits);
    CHECK(screen.notes().size() == 1);
    CHECK_FALSE(screen.has("sink_logits"));
}

TEST_CASE("norms of queries and keys are a switch, where there is no latent", "[settings][norm]") {
    Screen screen({1280, 1500});
    screen.click("group=variants");
    screen.click("qk_norm");
    CHECK(screen.state().inputs.qk_norm);
    screen.click("qk_norm");
    CHECK(screen.state().inputs == Inputs());
    screen.click("latent+");
    CHECK_FALSE(screen.has("qk_norm"));
}

TEST_CASE("a cap of scores goes from none to Gemma 2's, and back", "[settings][score_cap]") {
    Screen screen({1280, 1500});
    screen.click("group=variants");
    screen.click("score_cap+");
    CHECK(screen.state().inputs.score_cap == 1);
    for (int n = 0; n < 6; ++n) screen.click("score_cap+");
    CHECK(screen.state().inputs.score_cap == 50);
    screen.click("score_cap+");
    CHECK(screen.state().inputs.score_cap == 50);
    for (int n = 0; n < 7; ++n) screen.click("score_cap-");
    CHECK(screen.state().inputs == Inputs());
    CHECK(screen.notes().empty());
}

TEST_CASE("a cap of logits is offered where there are logits", "[settings][score_cap]") {
    Screen screen({1280, 1500}, "d_in=4&goal=next&stage=probabilities");
    screen.click("logit_cap+");
    CHECK(screen.state().inputs.logit_cap == 1);
    screen.click("logit_cap-");
    CHECK(screen.state().inputs.logit_cap == 0);
}

TEST_CASE("a pattern has no logits to cap", "[settings][score_cap]") {
    Screen screen({1280, 1500}, "goal=pattern&target=2>1");
    CHECK(screen.has("rate+"));
    CHECK_FALSE(screen.has("logit_cap+"));
}

TEST_CASE("d_out goes in steps that keep the number of heads", "[settings]") {
    Screen screen({1280, 1400}, "d_out=4&heads=2");
    screen.click("d_out+");
    CHECK(screen.state().inputs.d_out == 6);
    CHECK(screen.state().inputs.num_heads == 2);
    screen.click("d_out-");
    screen.click("d_out-");
    screen.click("d_out-");
    CHECK(screen.state().inputs.d_out == 2);  // head_dim is 1
}

TEST_CASE("dropout and temperature go in tenths without rounding errors", "[settings]") {
    Screen screen({1280, 1400});
    for (int i = 0; i < 3; ++i) screen.click("dropout+");
    CHECK(screen.state().inputs.dropout == 0.3);
    for (int i = 0; i < 4; ++i) screen.click("dropout-");
    CHECK(screen.state().inputs.dropout == 0);
    for (int i = 0; i < 12; ++i) screen.click("temperature-");
    CHECK(screen.state().inputs.temperature == 0.1);
    CHECK(screen.notes().empty());
}

TEST_CASE("a held stepper repeats, and asks for frames while it does", "[settings]") {
    Screen screen({1280, 1400});
    const int before = screen.state().inputs.d_in;
    screen.point_at("d_in+");
    screen.hold(true);
    for (int i = 0; i < 60; ++i) screen.frame();  // a second
    screen.hold(false);
    screen.settle();
    CHECK(screen.state().inputs.d_in > before + 5);
}

TEST_CASE("a number can be typed, by pointer or by keyboard", "[settings]") {
    Screen screen({1280, 1400});
    screen.click("d_in");
    screen.type("12");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.d_in == 12);
    screen.press(ImGuiKey_LeftArrow);
    screen.press(ImGuiKey_RightArrow);  // the focus stayed where it was
    screen.press(ImGuiKey_Enter);
    screen.type("20");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.d_in == 20);
    screen.click("seed");
    screen.type("18446744073709551615");
    screen.click("d_out");  // leaving the field is enough
    CHECK(screen.state().inputs.seed == 18446744073709551615U);
}

TEST_CASE("Escape leaves a typed number as it was", "[settings]") {
    Screen screen({1280, 1400});
    screen.click("d_in");
    screen.type("99");
    screen.press(ImGuiKey_Escape);
    CHECK(screen.state().inputs.d_in == 8);
}

TEST_CASE("what cannot be used is refused or moved, and the visitor is told", "[settings][bad-input]") {
    Screen screen({1280, 1400}, "d_out=16&heads=4");
    const auto [typed, wanted] = GENERATE(
        table<const char*, int>({{"5", 4}, {"0", 1}, {"1e9", 16}, {"-3", 1}, {"nan", 4}, {"many", 4}, {"", 4}}));
    CAPTURE(typed);
    screen.click("heads");
    if (*typed == 0) {
        screen.press(ImGuiKey_Delete);
    } else {
        screen.type(typed);
    }
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.num_heads == wanted);
    CHECK(screen.notes().size() >= 1);
    CHECK(screen.has("notes=read"));
}

TEST_CASE("the next seed is one more, and reverting takes all edits away", "[settings]") {
    Screen screen({1280, 1600}, "seed=7&edit=w_query[0,0]=1,2");
    screen.click("seed+");
    CHECK(screen.state().inputs.seed == 8);
    CHECK(screen.state().inputs.edits.size() == 2);
    screen.click("edit=");
    CHECK(screen.state().inputs.edits.empty());
    CHECK_FALSE(screen.has("edit="));
}

TEST_CASE("bias and output projection are switched by pointer and by keyboard", "[settings]") {
    Screen screen({1280, 1600});
    screen.click("out");
    CHECK_FALSE(screen.state().inputs.out);
    screen.click("bias");
    CHECK(screen.state().inputs.bias);
    screen.press(ImGuiKey_DownArrow);
    screen.press(ImGuiKey_Space);
    CHECK(screen.state().inputs.out);
    screen.press(ImGuiKey_Space);
    CHECK_FALSE(screen.state().inputs.out);
}

TEST_CASE("settings without an effect are not shown", "[settings]") {
    Screen screen({1280, 1600});
    CHECK(screen.has("embed_seed"));
    CHECK_FALSE(screen.has("dropout_seed"));
    screen.click("dropout+");
    CHECK(screen.has("dropout_seed"));
    screen.click("init=none");
    CHECK_FALSE(screen.has("seed"));
    CHECK_FALSE(screen.has("bias"));
    screen.click("init=identity");
    screen.click("embed=typed");
    CHECK_FALSE(screen.has("embed_seed"));
    CHECK(screen.has("x"));
}

TEST_CASE("choosing init none says what else had to move", "[settings]") {
    Screen screen({1280, 1600}, "d_in=8&d_out=4");
    screen.click("init=none");
    CHECK(screen.state().inputs.d_out == 8);
    CHECK_FALSE(screen.notes().empty());
}

TEST_CASE("changing to typed embeddings keeps the numbers, to four decimals", "[settings]") {
    Screen screen({1280, 1600}, "text=Your+journey&text=one+step+more&d_in=4&pos=sin");
    const Matrix before = screen.evaluation().problem->embeddings;
    screen.click("embed=typed");
    const Matrix& after = screen.evaluation().problem->embeddings;
    REQUIRE(screen.state().inputs.typed.size() == 2);
    CHECK(screen.state().inputs.typed[1].size() == 3);
    for (std::size_t i = 0; i < before.shape(0); ++i) {
        for (std::size_t c = 0; c < before.shape(1); ++c) {
            // Half of the fourth decimal, and the rounding of the sum.
            CHECK_THAT(after(i, c), Catch::Matchers::WithinAbs(before(i, c), 0.5e-4 + 1e-6));
        }
    }
    screen.click("embed=hash");
    screen.state().inputs.typed[0][0][0] = 7;
    screen.click("embed=typed");
    CHECK(screen.state().inputs.typed[0][0][0] == 7);  // what was typed is not written over
}

TEST_CASE("sentences are added and taken away", "[settings]") {
    Screen screen({1280, 1400});
    screen.click("sentences+");
    CHECK(screen.state().inputs.texts.size() == 2);
    CHECK(screen.state().view.sentence == 1);
    screen.click("sentences-");
    CHECK(screen.state().inputs.texts.size() == 1);
    CHECK(screen.state().view.sentence == 0);
    screen.click("sentences-");
    CHECK(screen.state().inputs.texts.size() == 1);
}

TEST_CASE("with as many heads as channels, plus adds a channel", "[settings]") {
    const bool is_locked = GENERATE(false, true);
    Screen screen({1280, 1400}, is_locked ? "d_out=4&heads=4&lock=d_out" : "d_out=4&heads=4");
    screen.click("heads+");
    CHECK(screen.state().inputs.num_heads == (is_locked ? 4 : 5));
    CHECK(screen.state().inputs.d_out == (is_locked ? 4 : 5));
    CHECK(screen.notes().empty());
}

TEST_CASE("a note on heads offers the channels they need", "[settings][notes]") {
    const ImVec2 size = GENERATE(ImVec2(1280, 1400), ImVec2(360, 640));
    Screen screen(size, "d_out=4&heads=3");
    REQUIRE(screen.state().inputs.num_heads == 2);
    screen.click("notes=heads");
    CHECK(screen.state().inputs.num_heads == 3);
    CHECK(screen.state().inputs.d_out == 6);
    CHECK_FALSE(screen.has("notes=heads"));
}

TEST_CASE("a press on a row whose help is long meets what was pointed at", "[settings]") {
    Screen screen({1280, 1400}, "");
    screen.click("group=positions");
    screen.point_at("heads");
    const ImVec2 place = screen.middle("pos=none");
    ImGuiIO& io = ImGui::GetIO();
    // As a quick hand does it: at the place and down between two frames.
    io.AddMousePosEvent(place.x, place.y);
    screen.frame();
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, true);
    screen.frame();
    CHECK(screen.middle("pos=none").x == place.x);
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, false);
    screen.settle();
    CHECK(screen.state().inputs.positions == Positions::none);
}
