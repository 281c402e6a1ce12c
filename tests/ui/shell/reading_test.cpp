// The bar above the picture while a model's files are read.
#include <catch_amalgamated.hpp>

#include "ui/screen.h"

using namespace attn;
using attn::testing::Screen;

namespace {

bool asks_to_stop(Screen& screen) {
    for (const UiRequest& request : screen.take_requests())
        if (request.kind == UiRequest::Kind::stop_model) return true;
    return false;
}

}  // namespace

TEST_CASE("a model that is being read can be stopped by its button and by Escape, on a phone as on a wide screen",
          "[ui][model]") {
    const ImVec2 size = GENERATE(ImVec2{1280, 800}, ImVec2{360, 640});
    Screen screen(size, "text=the+artist");
    CHECK_FALSE(screen.has("stop_model"));
    screen.surroundings.read_share = 0.34F;
    screen.settle();
    const UiItem& stop = screen.at("stop_model");
    CHECK_FALSE(stop.is_clipped);
    CHECK(stop.min.x >= 0);
    CHECK(stop.max.x <= size.x);
    CHECK_FALSE(asks_to_stop(screen));
    screen.click("stop_model");
    CHECK(asks_to_stop(screen));
    screen.press(ImGuiKey_Escape);
    CHECK(asks_to_stop(screen));

    screen.surroundings.read_share.reset();
    screen.settle();
    CHECK_FALSE(screen.has("stop_model"));
    screen.press(ImGuiKey_Escape);
    CHECK_FALSE(asks_to_stop(screen));
}
