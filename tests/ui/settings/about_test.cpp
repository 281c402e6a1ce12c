// The card about the program: how it is reached, the digest it shows, what of it can be left out.
#include "ui/settings/about.h"

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

// The settings are a column, or a drawer that has to be opened.
void open_about(Screen& screen) {
    if (screen.has("settings")) screen.click("settings");
    if (screen.at("about").is_clipped) {
        screen.point_at({screen.has("settings") ? screen.size().x - 60 : 60, screen.size().y / 2});
        screen.scroll_to("about");
    }
    screen.click("about");
    REQUIRE(screen.has("about=close"));
}

std::string copied_digest(Screen& screen) {
    screen.take_requests();
    screen.click("copy=digest");
    const std::vector<UiRequest> requests = screen.take_requests();
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == UiRequest::Kind::copy_digest);
    return requests[0].text;
}

}  // namespace

TEST_CASE("the card has the digest of all sentences, in every layout", "[about]") {
    const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(1440, 900), ImVec2(700, 800), ImVec2(390, 844));
    const std::string link = "text=one+two&text=three+four+five&dropout=0.2&sentence=2";
    Screen screen(size, link);
    screen.surroundings.is_touch = size.x < 600;
    screen.settle();
    open_about(screen);
    CHECK(copied_digest(screen) == digest_text(digest_of(read_link(link).state.inputs)));
    for (const char* name : {"about=close", "copy=digest", "digest"}) {
        CAPTURE(name, size.x);
        const UiItem& item = screen.at(name);
        CHECK_FALSE(item.is_clipped);
        CHECK(item.min.x >= 0);
        CHECK(item.max.x <= size.x);
        CHECK(item.max.y <= size.y);
    }
    screen.click("about=close");
    CHECK_FALSE(screen.has("copy=digest"));
}

TEST_CASE("another state has another digest, another sentence in view has not", "[about]") {
    Screen screen({1280, 800}, "text=one+two&text=three");
    open_about(screen);
    const std::string first = copied_digest(screen);
    screen.state().view.sentence = 1;
    screen.settle();
    CHECK(copied_digest(screen) == first);
    screen.state().inputs.seed = 7;
    screen.settle();
    const std::string second = copied_digest(screen);
    CHECK(second != first);
    CHECK(second == digest_text(digest_of(screen.state().inputs)));
}

TEST_CASE("the keyboard reaches the card, Escape closes it", "[about]") {
    Screen screen;
    for (int i = 0; i < 200 && ImGui::GetCurrentContext()->NavId != screen.at("about").id; ++i) {
        screen.press(ImGuiKey_Tab);
    }
    REQUIRE(ImGui::GetCurrentContext()->NavId == screen.at("about").id);
    screen.press(ImGuiKey_Enter);
    REQUIRE(screen.has("copy=digest"));
    screen.press(ImGuiKey_Escape);
    CHECK_FALSE(screen.has("copy=digest"));
}

TEST_CASE("the card can be left out", "[about]") {
    const bool leaves_performance = GENERATE(false, true);
    const Screen screen({1280, 800}, leaves_performance ? "hide=about,performance" : "hide=about");
    CHECK_FALSE(screen.has("about"));
    CHECK(screen.has("performance") != leaves_performance);
}

TEST_CASE("nothing is computed for the digest while the card is closed", "[about]") {
    Screen screen;
    screen.settle();
    open_about(screen);
    screen.press(ImGuiKey_Escape);
    const int before = screen.num_frames;
    screen.state().inputs.seed = 99;
    screen.settle();
    CHECK(screen.num_frames - before < 10);
}

TEST_CASE("preparing for a class is offered where the author's page stands beside the page", "[about]") {
    const auto [address, is_there] =
        GENERATE(table<std::string, bool>({{"https://example.org/a/", true},
                                           {"file:///home/me/attention-playground.html", false},
                                           {"", false},
                                           {"https://example.org/attention-playground.html", false}}));
    Screen screen({1280, 1600});
    screen.surroundings.page_address = address;
    screen.settle();
    const auto* opener = GENERATE(as<const char*>{}, "about", "share");
    const auto* link = std::string_view(opener) == "about" ? "about prepare" : "prepare";
    screen.click(opener);
    CHECK(screen.has(link) == is_there);
    if (!is_there) return;
    screen.click(link);
    const std::vector<UiRequest> requests = screen.take_requests();
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == UiRequest::Kind::prepare);
}
