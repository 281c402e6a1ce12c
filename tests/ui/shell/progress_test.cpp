// What is seen of a computation that takes longer than a frame, and how it is stopped.
#include "ui/shell/progress.h"

#include <catch_amalgamated.hpp>

#include "ui/screen.h"

using namespace attn;
using attn::testing::Screen;

namespace {

// 160 tokens, 8 heads; nothing is computed but what the test asks for.
constexpr const char* kLong = "heads=8&d_in=32&d_out=32&tokens=chars&text=";

std::string slow_link() {
    std::string link = kLong;
    for (int i = 0; i < 160; ++i) link += static_cast<char>('a' + i % 26);
    return link;
}

Progress running(double seconds) {
    return {.is_running = true, .num_heads_done = 3, .num_heads = 8, .seconds_running = seconds, .seconds_left = 0.4};
}

// Frames while the computation stands where it is; it is under way, so frames are wanted without end.
void look(Screen& screen) {
    for (int i = 0; i < 6; ++i) screen.frame();
}

void press(Screen& screen, std::string_view name) {
    ImGui::GetIO().AddMousePosEvent(screen.middle(name).x, screen.middle(name).y);
    look(screen);
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
    look(screen);
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
    look(screen);
}

}  // namespace

TEST_CASE("progress is told in heads and seconds", "[ui][progress]") {
    Progress progress = running(1);
    CHECK(progress_text(progress) == "computing: 3 of 8 heads, 0.4 s left");
    progress.seconds_left = 0.01;
    CHECK(progress_text(progress) == "computing: 3 of 8 heads, 0.1 s left");
    progress.seconds_left = 83.2;
    CHECK(progress_text(progress) == "computing: 3 of 8 heads, 83 s left");
    progress.seconds_left = 0;
    CHECK(progress_text(progress) == "computing: 3 of 8 heads");
    progress.is_running = false;
    progress.is_stopped = true;
    CHECK(progress_text(progress) == "stopped: 3 of 8 heads");
}

TEST_CASE("every view can be drawn at every moment of a computation", "[ui][progress][property]") {
    for (const char* view : {"matrix",
                             "numbers",
                             "lines",
                             "vectors",
                             "edit",
                             "compare",
                             "split",
                             "stacked",
                             "cost",
                             "cache&at=2",
                             "dots",
                             "softmax",
                             "matrix&check=weights",
                             "matrix&combine=mean",
                             "matrix&stage=scores",
                             "matrix&stage=output&cell=1,2,3",
                             "matrix&row_stat=entropy",
                             "matrix&target=1%3E0",
                             "matrix&combine=max&target=1%3E0&cell=1,5,2",
                             "compare&compare=text%3Da%2Bb",
                             "matrix&edit=w_query[0,0]=2"}) {
        CAPTURE(view);
        Screen screen({1280, 800}, slow_link() + "&view=" + view, Screen::Computes::by_slices);
        screen.surroundings.progress = running(1);
        look(screen);
        while (!screen.advance(300000)) look(screen);
        screen.surroundings.progress = {};
        screen.settle();
        CHECK_FALSE(screen.has("cancel"));
    }
}

TEST_CASE("a view that needs all heads says how far they are in its place", "[ui][progress]") {
    Screen screen({1280, 800}, slow_link() + "&view=lines", Screen::Computes::by_slices);
    screen.surroundings.progress = running(0.02);
    look(screen);
    CHECK_FALSE(screen.has("cancel"));  // not for the first moment: it would flicker
    screen.surroundings.progress = running(0.2);
    look(screen);
    CHECK(screen.has("cancel"));
    CHECK_FALSE(screen.has("lines"));
}

TEST_CASE("cancel and go on ask for it, by pointer and by keyboard", "[ui][progress]") {
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(700, 800), ImVec2(390, 844)}) {
        Screen screen(size, slow_link() + "&head=2", Screen::Computes::by_slices);
        while (screen.evaluation_so_far().work.num_heads_done() == 0) screen.advance(100000);
        screen.surroundings.progress = running(1);
        look(screen);
        CHECK_FALSE(screen.at("cancel").is_clipped);
        CHECK(screen.has("cells"));
        press(screen, "cancel");
        std::vector<UiRequest> requests = screen.take_requests();
        REQUIRE(requests.size() == 1);
        CHECK(requests[0].kind == UiRequest::Kind::stop);

        screen.surroundings.progress.is_running = false;
        screen.surroundings.progress.is_stopped = true;
        look(screen);
        CHECK_FALSE(screen.has("cancel"));
        press(screen, "go_on");
        requests = screen.take_requests();
        REQUIRE(requests.size() == 1);
        CHECK(requests[0].kind == UiRequest::Kind::go_on);
    }
}

TEST_CASE("the explanation waits for all heads", "[ui][progress]") {
    Screen screen({1280, 800}, slow_link() + "&cell=1,5,2", Screen::Computes::by_slices);
    screen.surroundings.progress = running(1);
    look(screen);
    const std::size_t before = screen.items().size();
    while (!screen.advance(1000000)) continue;
    screen.surroundings.progress = {};
    screen.settle();
    CHECK(screen.items().size() > before);
    CHECK(screen.has("stage=weights"));
}
