// The question what a file is: choosing, refusing, undoing.
#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

FileOffer two_ways() {
    FileOffer offer{.question = "weights.npy holds (6, 3) numbers. What are they?", .choices = {}};
    offer.choices.push_back({.label = "as X, d_in becomes 3",
                             .state = read_link("text=one+two&d_in=3").state,
                             .notes = {"two rows were left out"}});
    offer.choices.push_back({.label = "as w_query", .state = read_link("text=three").state, .notes = {}});
    return offer;
}

}  // namespace

TEST_CASE("an offer asks, and the answer becomes the state, which can be undone", "[file-offer]") {
    const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(390, 844), ImVec2(320, 480));
    Screen screen(size, "text=before");
    screen.rest();
    screen.ui().ask_about(two_ways());
    CHECK(screen.ui().wants_another_frame());
    screen.settle();
    CHECK(screen.ui().is_asking());
    for (const char* name : {"offer=0", "offer=1", "offer=cancel"}) CHECK_FALSE(screen.at(name).is_clipped);
    screen.click("offer=0");
    CHECK(screen.state().inputs.texts[0] == "one two");
    CHECK(screen.state().inputs.d_in == 3);
    CHECK(screen.notes() == Notes{"two rows were left out"});
    CHECK_FALSE(screen.has("offer=0"));
    CHECK_FALSE(screen.ui().is_asking());
    screen.rest();
    screen.press_with_ctrl(ImGuiKey_Z);
    CHECK(screen.state().inputs.texts[0] == "before");
}

TEST_CASE("Cancel and Escape change nothing", "[file-offer]") {
    Screen screen({1280, 800}, "text=before");
    const PlaygroundState before = screen.state();
    const bool by_key = GENERATE(false, true);
    screen.ui().ask_about(two_ways());
    screen.settle();
    if (by_key) {
        screen.press(ImGuiKey_Escape);
    } else {
        screen.click("offer=cancel");
    }
    CHECK_FALSE(screen.has("offer=0"));
    CHECK_FALSE(screen.ui().is_asking());
    CHECK(screen.state() == before);
    CHECK(screen.notes().empty());
}

TEST_CASE("the second answer can be chosen by keyboard", "[file-offer]") {
    Screen screen({1280, 800}, "text=before");
    screen.ui().ask_about(two_ways());
    screen.settle();
    for (int i = 0; i < 20 && ImGui::GetCurrentContext()->NavId != screen.at("offer=1").id; ++i) {
        screen.press(ImGuiKey_Tab);
    }
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.texts[0] == "three");
}

TEST_CASE("an offer over the open share panel is answered, and the panel stays", "[file-offer]") {
    Screen screen({1280, 800}, "text=before");
    screen.click("share");
    screen.ui().ask_about(two_ways());
    screen.settle();
    REQUIRE(screen.has("offer=1"));
    screen.click("offer=1");
    CHECK(screen.state().inputs.texts[0] == "three");
    CHECK_FALSE(screen.ui().is_asking());
}

TEST_CASE("a long offer scrolls", "[file-offer]") {
    Screen screen({390, 600});
    FileOffer offer = two_ways();
    for (int i = 0; i < 30; ++i) offer.choices.push_back(offer.choices[0]);
    screen.ui().ask_about(std::move(offer));
    screen.settle();
    screen.point_at("offer=0");
    screen.scroll_to("offer=cancel");
    screen.click("offer=cancel");
    CHECK_FALSE(screen.ui().is_asking());
}
