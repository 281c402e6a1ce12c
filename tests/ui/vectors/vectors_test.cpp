// The vectors view on the whole screen.
#include "ui/vectors/vectors.h"

#include <cmath>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

ImVec2 tip(const Screen& screen, std::string_view name) {
    return screen.at(name).min;
}

std::string words_link(int count) {
    std::string link = "text=";
    for (int k = 0; k < count; ++k) link += concat("w", k, "+");
    return link;
}

void focus(Screen& screen, std::string_view name) {
    for (int k = 0; k < 120 && ImGui::GetCurrentContext()->NavId != screen.at(name).id; ++k) screen.press(ImGuiKey_Tab);
    REQUIRE(ImGui::GetCurrentContext()->NavId == screen.at(name).id);
}

}  // namespace

TEST_CASE("vectors are drawn for every kind of head at every size, and rest", "[vectors][property]") {
    for (const std::string& link : {std::string("view=vectors"), std::string("view=vectors&text=one"),
                                    std::string("view=vectors&heads=4&d_out=4&cell=2,3,1"),
                                    std::string("view=vectors&heads=1&d_out=64&plane=principal"),
                                    std::string("view=vectors&heads=2&d_out=16&plane=3,6&stage=context&cell=2,7,3"),
                                    "view=vectors&heads=12&d_out=36&" + words_link(40),
                                    "view=vectors&edit=w_query[0,0]=1e38&edit=w_key[0,0]=1e38&" + words_link(300),
                                    std::string("view=vectors&hide=values,inspector,settings")}) {
        for (const ImVec2 size :
             {ImVec2(1280, 800), ImVec2(1440, 900), ImVec2(700, 900), ImVec2(390, 844), ImVec2(360, 480)}) {
            CAPTURE(link, size.x);
            Screen screen(size, link);
            CHECK(screen.has("plane"));
            CHECK(screen.has("chain"));
            CHECK(screen.has("context arrow"));
            const UiItem& plane = screen.at("plane");
            CHECK(plane.max.x - plane.min.x > 200);
            CHECK(plane.max.y - plane.min.y > 200);
            if (size.x >= 1280) CHECK(screen.at("chain").min.x > plane.max.x);
            if (size.x >= 600) continue;
            // The drawing of the shown stage is the one that is seen without scrolling.
            const UiItem& chain = screen.at("chain");
            const bool is_context = screen.state().view.stage == TensorId::context;
            CHECK(is_context == (chain.min.y < plane.min.y));
            CHECK((chain.min.y > plane.max.y || plane.min.y > chain.max.y));
        }
    }
}

TEST_CASE("arrows stand where their numbers say, with one scale for both axes", "[vectors]") {
    Screen screen({1280, 800}, "view=vectors&cell=2,7,1");
    const Matrix keys = shown_matrix(screen.evaluation(), TensorId::keys, 1);
    const Matrix queries = shown_matrix(screen.evaluation(), TensorId::queries, 1);
    const ImVec2 first = tip(screen, "key arrow=0");
    const ImVec2 second = tip(screen, "key arrow=4");
    const float scale = (second.x - first.x) / (keys(4, 0) - keys(0, 0));
    CHECK(scale > 0);
    const auto place = [&](const Matrix& vectors, std::size_t token) {
        return ImVec2(first.x + (vectors(token, 0) - keys(0, 0)) * scale,
                      first.y - (vectors(token, 1) - keys(0, 1)) * scale);
    };
    for (std::size_t token = 0; token < 11; ++token) {
        CAPTURE(token);
        // A hundredth of a point: float arithmetic on some hundred points.
        const ImVec2 key = place(keys, token);
        CHECK(tip(screen, concat("key arrow=", token)).x == Catch::Approx(key.x).margin(0.01));
        CHECK(tip(screen, concat("key arrow=", token)).y == Catch::Approx(key.y).margin(0.01));
        const ImVec2 query = place(queries, token);
        CHECK(tip(screen, concat("query arrow=", token)).x == Catch::Approx(query.x).margin(0.01));
        CHECK(tip(screen, concat("query arrow=", token)).y == Catch::Approx(query.y).margin(0.01));
    }
}

TEST_CASE("a click on a key's arrow pins its cell, one on a query's chooses the query", "[vectors]") {
    Screen screen({1280, 800}, "view=vectors&cell=2,7,1");
    screen.click(tip(screen, "key arrow=4"));
    CHECK(pinned(screen) == Cell{1, 7, 4});
    screen.click(tip(screen, "query arrow=3"));
    CHECK(pinned(screen).row == 3);
    CHECK(pinned(screen).head == 1);
}

TEST_CASE("a link of the chain leads to its key", "[vectors]") {
    Screen screen({1280, 800}, "view=vectors&cell=2,7,5");
    screen.point_at(tip(screen, "link=1"));
    CHECK(screen.hover().cell == Cell{1, 7, 1});
    screen.click(tip(screen, "link=1"));
    CHECK(pinned(screen) == Cell{1, 7, 1});
}

TEST_CASE("the list of keys pins and lights them", "[vectors]") {
    Screen screen({1280, 800}, "view=vectors&head=2&cell=2,7,1");
    screen.point_at("vector=2");
    CHECK(screen.hover().cell == Cell{1, 7, 2});
    screen.click("vector=2");
    CHECK(pinned(screen) == Cell{1, 7, 2});
}

TEST_CASE("in a stage of channels a key leads to the weights", "[vectors]") {
    Screen screen({1280, 800}, "view=vectors&stage=context&head=2&cell=2,7,1");
    screen.point_at("vector=2");
    CHECK(screen.hover().token == 2);
    screen.click("vector=2");
    CHECK(screen.state().view.stage == TensorId::weights);
    CHECK(pinned(screen) == Cell{1, 7, 2});
}

TEST_CASE("arrow keys choose query and key while a drawing has the focus", "[vectors]") {
    const char* name = GENERATE("plane", "chain");
    Screen screen({1280, 800}, "view=vectors&cell=2,7,1");
    focus(screen, name);
    screen.press(ImGuiKey_RightArrow);  // it walks on
    CHECK(pinned(screen) == Cell{1, 7, 1});
    ImGui::GetCurrentContext()->NavId = screen.at(name).id;
    screen.settle();
    screen.press(ImGuiKey_Enter);
    screen.press(ImGuiKey_RightArrow);
    CHECK(pinned(screen) == Cell{1, 8, 1});
    screen.press(ImGuiKey_LeftArrow);
    screen.press(ImGuiKey_LeftArrow);
    CHECK(pinned(screen) == Cell{1, 6, 1});
    screen.press(ImGuiKey_DownArrow);
    CHECK(pinned(screen) == Cell{1, 6, 2});
    for (int k = 0; k < 5; ++k) screen.press(ImGuiKey_UpArrow);
    CHECK(pinned(screen) == Cell{1, 6, 0});
    CHECK(ImGui::GetCurrentContext()->NavId == screen.at(name).id);
    screen.press(ImGuiKey_Tab);
    CHECK(ImGui::GetCurrentContext()->NavId != screen.at(name).id);
}

TEST_CASE("head, query and plane are chosen on the bar", "[vectors]") {
    Screen screen({1280, 800}, "view=vectors&heads=2&d_out=16");
    screen.click("head=2");
    CHECK(screen.state().view.head == 1);
    screen.click("query-");
    CHECK(pinned(screen) == Cell{1, 9, 9});
    screen.click("plane x+");
    CHECK(screen.state().view.plane == Plane{false, 2, 1});  // over the channel of the other axis
    screen.click("plane y-");
    CHECK(screen.state().view.plane == Plane{false, 2, 0});
    screen.click("plane=principal");
    CHECK(screen.state().view.plane.is_principal);
    CHECK_FALSE(screen.has("plane x+"));
    screen.click("plane=channels");
    CHECK(screen.state().view.plane == Plane{});
}

TEST_CASE("many heads are stepped through", "[vectors]") {
    Screen screen({1280, 800}, "view=vectors&heads=12&d_out=24");
    CHECK_FALSE(screen.has("head=1"));
    screen.click("head+");
    CHECK(screen.state().view.head == 1);
}

TEST_CASE("a token that is pointed at changes nothing but what is lit", "[vectors]") {
    Screen screen({1280, 800}, "view=vectors&cell=2,7,1");
    const std::string before = write_link(screen.state());
    screen.point_at("token=3");
    CHECK(screen.hover().token == 3);
    CHECK(write_link(screen.state()) == before);
    CHECK(screen.has("key arrow=3"));
}

TEST_CASE("a long text is drawn in part, and its list only where it is in sight", "[vectors]") {
    Screen screen({1280, 800}, "view=vectors&" + words_link(1500));
    int num_keys = 0;
    int num_rows = 0;
    for (const UiItem& item : screen.items()) {
        num_keys += item.name.starts_with("key arrow=") ? 1 : 0;
        num_rows += item.name.starts_with("vector=") ? 1 : 0;
    }
    CHECK(num_keys == 24);
    CHECK(num_rows < 30);
}

TEST_CASE("a finger that scrolls over the drawing chooses nothing", "[vectors]") {
    Screen screen({390, 844}, "view=vectors&cell=2,7,1");
    screen.surroundings.is_touch = true;
    screen.settle();
    const ImVec2 from = tip(screen, "key arrow=4");
    const float before = screen.at("plane").min.y;
    screen.drag(from, {from.x, from.y - 80});
    CHECK(screen.at("plane").min.y < before - 40);
    CHECK(pinned(screen) == Cell{1, 7, 1});
    screen.click(tip(screen, "key arrow=2"));
    CHECK(pinned(screen) == Cell{1, 7, 2});
}
