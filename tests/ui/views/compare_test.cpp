// view=compare: how B comes about, what the three maps show, and what pointing and pinning do.
#include "core/ground/check.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

ImVec2 cell_of(const Screen& screen, const char* map, int row, int column, int size) {
    const UiItem& item = screen.at(map);
    const auto at = [&](float from, float to, int k) {
        return from + (to - from) * (static_cast<float>(k) + 0.5F) / static_cast<float>(size);
    };
    return {at(item.min.x, item.max.x, column), at(item.min.y, item.max.y, row)};
}

}  // namespace

TEST_CASE("without a B there are choices of one", "[compare]") {
    Screen screen({1280, 800}, "view=compare");
    CHECK_FALSE(screen.has("map=A"));
    screen.click("compare=seed");
    CHECK(screen.state().view.compare == "v=1&seed=124");
    CHECK(screen.has("map=A"));
    CHECK(screen.has("map=B"));
    CHECK(screen.has("map=A-B"));
    CHECK(screen.state().inputs.seed == 123);
}

TEST_CASE("the buttons set B, swap it with A, and remove it", "[compare]") {
    Screen screen({1440, 900}, "view=compare&head=2");
    screen.click("compare=now");
    CHECK(screen.state().view.compare == "v=1&head=2");
    screen.state().inputs.seed = 7;
    screen.settle();
    CHECK(screen.state().view.compare == "v=1&head=2");
    screen.click("compare=swap");
    CHECK(screen.state().inputs.seed == 123);
    CHECK(screen.state().view.compare == "v=1&seed=7&head=2");
    screen.click("compare=none");
    CHECK(screen.state().view.compare.empty());
    CHECK(screen.state().inputs.seed == 123);
}

TEST_CASE("a stage without heads has none to choose", "[compare]") {
    Screen screen({1280, 800}, "view=compare&stage=merged&compare=seed%3D5");
    CHECK(screen.has("map=A"));
    CHECK_FALSE(screen.has("head+"));
}

TEST_CASE("each of A and B has its own head", "[compare]") {
    Screen screen({1280, 800}, "view=compare&compare=seed%3D5");
    screen.click("head+");
    CHECK(screen.state().view.head == 1);
    CHECK(screen.state().view.compare == "v=1&seed=5");
    screen.click("head of B+");
    CHECK(screen.state().view.compare == "v=1&seed=5&head=2");
    screen.click("head-");
    CHECK(screen.state().view.head == 0);
}

TEST_CASE("a cell of any of the three maps can be pinned, and let go", "[compare]") {
    Screen screen({1440, 1400}, "view=compare&head=2&compare=seed%3D5");
    for (const char* map : {"map=A", "map=B", "map=A-B"}) {
        CAPTURE(map);
        screen.point_at(cell_of(screen, map, 7, 4, 11));
        CHECK(screen.hover().cell == Cell{.head = 1, .row = 7, .column = 4});
        screen.click(cell_of(screen, map, 7, 4, 11));
        CHECK(screen.state().view.cell == Cell{.head = 1, .row = 7, .column = 4});
        screen.click(cell_of(screen, map, 7, 4, 11));
        CHECK_FALSE(screen.state().view.cell.has_value());
    }
}

TEST_CASE("the keys move the pinned cell over the maps", "[compare]") {
    Screen screen({1280, 800}, "view=compare&compare=seed%3D5");
    for (int i = 0; i < 120 && ImGui::GetCurrentContext()->NavId != screen.at("map=A").id; ++i) {
        screen.press(ImGuiKey_Tab);
    }
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.cell == Cell{});
    screen.press(ImGuiKey_DownArrow);
    screen.press(ImGuiKey_DownArrow);
    screen.press(ImGuiKey_RightArrow);
    CHECK(screen.state().view.cell == Cell{.head = 0, .row = 2, .column = 1});
    screen.press(ImGuiKey_Escape);
    screen.press(ImGuiKey_DownArrow);
    CHECK(screen.state().view.cell == Cell{.head = 0, .row = 2, .column = 1});
}

TEST_CASE("matrices of different shapes stand beside each other without a difference", "[compare]") {
    Screen screen({1280, 800}, "view=compare&compare=text%3Done+two");
    CHECK(screen.has("map=A"));
    CHECK(screen.has("map=B"));
    CHECK_FALSE(screen.has("map=A-B"));
    screen.state().view.compare = "text=";
    screen.settle();
    CHECK(screen.has("map=A"));
    CHECK_FALSE(screen.has("map=B"));
}

TEST_CASE("the maps show every stage, at every width, and come to rest", "[compare]") {
    for (const ImVec2 size : {ImVec2(1440, 900), ImVec2(700, 800), ImVec2(390, 844)}) {
        for (const char* inputs : {"", "&text=one", "&heads=12&d_out=12", "&dropout=.5&stage=dropped_weights",
                                   "&stage=output", "&stage=embeddings", "&mask_at=after"}) {
            CAPTURE(size.x, inputs);
            Screen screen(size, concat("view=compare&compare=seed%3D5", inputs));
            CHECK((screen.has("map=A") || screen.has("map=A-B")));
        }
    }
}

TEST_CASE("a phone shows one map, first the difference, and offers the others", "[compare]") {
    const ImVec2 size = GENERATE(ImVec2(360, 640), ImVec2(320, 480), ImVec2(844, 390));
    CAPTURE(size.x);
    Screen screen(size, "view=compare&compare=seed%3D5");
    CHECK(screen.has("map=A-B"));
    CHECK_FALSE(screen.has("map=A"));
    screen.state().view.compare = "text=one+two";  // has no difference
    screen.settle();
    CHECK(screen.has("map=A"));
    screen.state().view.compare = "seed=5";
    screen.settle();
    screen.click("show=B");
    CHECK(screen.has("map=B"));
    CHECK_FALSE(screen.has("map=A-B"));
}
