// The maps on the whole screen, driven by pointer, finger and keys.
#include <cmath>

#include "core/ground/check.h"
#include "ui/frame/pins.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

// The middle of a cell of a map on the screen.
ImVec2 cell_place(Screen& screen, int head, int row, int column) {
    const UiItem& map = screen.at(concat("map=", head + 1));
    const std::vector<int> shape = stage_shape(screen.evaluation(), screen.state().view.stage);
    const auto rows = static_cast<float>(shape[shape.size() - 2]);
    const auto columns = static_cast<float>(shape.back());
    return {map.min.x + (map.max.x - map.min.x) * (static_cast<float>(column) + 0.5F) / columns,
            map.min.y + (map.max.y - map.min.y) * (static_cast<float>(row) + 0.5F) / rows};
}

// Gives the cells the keyboard's focus, without pinning one.
void focus_cells(Screen& screen) {
    for (int k = 0; k < 400 && ImGui::GetCurrentContext()->NavId != screen.at("cells").id; ++k)
        screen.press(ImGuiKey_Tab);
    REQUIRE(ImGui::GetCurrentContext()->NavId == screen.at("cells").id);
}

}  // namespace

TEST_CASE("all heads are shown at once, with square cells", "[heads]") {
    Screen screen({1280, 800});
    CHECK(num_maps(screen) == 2);
    for (const char* name : {"map=1", "map=2"}) {
        const UiItem& map = screen.at(name);
        CHECK_FALSE(map.is_clipped);
        CHECK(map.max.x - map.min.x == Catch::Approx(map.max.y - map.min.y));
        CHECK(map.max.x - map.min.x >= 11 * 20);  // room for printed numbers
    }
    CHECK(screen.at("map=1").max.x < screen.at("map=2").min.x);
    CHECK(screen.at("map=1").min.y == screen.at("map=2").min.y);
}

TEST_CASE("every stage in every view is drawn at every size", "[heads][property]") {
    for (const ImVec2 size :
         {ImVec2(1280, 800), ImVec2(760, 900), ImVec2(390, 844), ImVec2(360, 480), ImVec2(3000, 1500)}) {
        Screen screen(size, "dropout=0.2&heads=4&d_out=16");
        for (const TensorId stage : present_stages(screen.state().inputs)) {
            for (const ViewKind view : {ViewKind::matrix, ViewKind::numbers}) {
                screen.state().view.stage = stage;
                screen.state().view.view = view;
                screen.settle();
                const bool is_single = size.x < 600 || !stage_info(stage).has_heads;
                CAPTURE(size.x, size.y, tensor_name(stage), static_cast<int>(view));
                CHECK(num_maps(screen) >= 1);
                if (is_single) CHECK(num_maps(screen) == 1);
                if (size.x > 2000) CHECK(num_maps(screen) == (is_single ? 1 : 4));
                const UiItem& map = screen.at("map=1");
                CHECK(map.max.x > map.min.x);
                CHECK(map.max.y > map.min.y);
            }
        }
    }
}

TEST_CASE("the pointer finds its cell in every head", "[heads]") {
    for (const char* link :
         {"", "stage=context", "stage=merged", "view=numbers&d_out=2&heads=1&text=a+b+c", "tokens=chars&text=ab+cd"}) {
        Screen screen({1280, 800}, link);
        const std::vector<int> shape = stage_shape(screen.evaluation(), screen.state().view.stage);
        const int rows = shape[shape.size() - 2];
        const int columns = shape.back();
        for (int head = 0; head < num_maps(screen); ++head) {
            for (const int row : {0, rows / 2, rows - 1}) {
                for (const int column : {0, columns / 2, columns - 1}) {
                    screen.point_at(cell_place(screen, head, row, column));
                    CAPTURE(link, head, row, column);
                    CHECK(screen.hover().cell == Cell{head, row, column});
                }
            }
        }
        screen.point_at(ImVec2(5, 5));
        CHECK_FALSE(screen.hover().cell);
    }
}

TEST_CASE("a click pins a cell, a second one lets it go", "[heads]") {
    Screen screen({1280, 800});
    screen.click(cell_place(screen, 1, 7, 4));
    CHECK(pinned(screen) == Cell{1, 7, 4});
    for (int k = 0; k < 40; ++k) screen.frame();  // or it would be a double click
    screen.click(cell_place(screen, 0, 3, 2));
    CHECK(pinned(screen) == Cell{0, 3, 2});
    for (int k = 0; k < 40; ++k) screen.frame();
    screen.click(cell_place(screen, 0, 3, 2));
    CHECK_FALSE(screen.state().view.cell);
}

TEST_CASE("pressing on one cell and letting go on another pins nothing", "[heads]") {
    Screen screen({1280, 800});
    screen.drag(cell_place(screen, 0, 8, 2), cell_place(screen, 0, 3, 2));
    CHECK_FALSE(screen.state().view.cell);
}

TEST_CASE("labels of rows and columns are pointed at and chosen as tokens", "[heads]") {
    Screen screen({1280, 800});
    const ImVec2 cell = cell_place(screen, 0, 7, 0);
    screen.point_at(ImVec2(cell.x - 24, cell.y));
    CHECK(screen.hover().token == 7);
    const ImVec2 column = cell_place(screen, 0, 0, 4);
    screen.point_at(ImVec2(column.x, column.y - 16));
    CHECK(screen.hover().token == 4);
    // Up along the slanted label, the same token.
    screen.point_at(ImVec2(column.x + 20, column.y - 16 - 20 * 1.43F));
    CHECK(screen.hover().token == 4);
    screen.click(ImVec2(cell.x - 24, cell.y));
    CHECK(pinned(screen) == Cell{0, 7, 7});
}

TEST_CASE("a head is enlarged by its title, its map, and brought back", "[heads]") {
    Screen screen({1280, 800});
    const float small = screen.at("map=2").max.x - screen.at("map=2").min.x;
    const bool by_title = GENERATE(true, false);
    const bool by_escape = GENERATE(true, false);
    if (by_title) {
        screen.click("head=2");
    } else {
        screen.point_at(cell_place(screen, 1, 7, 4));
        for (int k = 0; k < 2; ++k) {
            screen.hold(true);
            screen.hold(false);
        }
        screen.settle();
        CHECK(pinned(screen) == Cell{1, 7, 4});
    }
    REQUIRE(screen.state().view.head == 1);
    CHECK(num_maps(screen) == 1);
    CHECK(screen.at("map=2").max.x - screen.at("map=2").min.x > small * 1.2F);
    screen.click("head-");
    CHECK(screen.state().view.head == 0);
    CHECK(screen.has("map=1"));
    if (by_escape)
        screen.press(ImGuiKey_Escape);
    else
        screen.click("head=all");
    CHECK_FALSE(screen.state().view.head);
    CHECK(num_maps(screen) == 2);
}

TEST_CASE("the ends of the heads are the end", "[heads]") {
    Screen screen({1280, 800}, "head=2");
    screen.click("head+");
    CHECK(screen.state().view.head == 1);
    screen.click("head-");
    screen.click("head-");
    CHECK(screen.state().view.head == 0);
}

TEST_CASE("a phone shows one head, and a swipe the next", "[heads][touch]") {
    Screen screen({390, 844});
    screen.surroundings.is_touch = true;
    screen.settle();
    CHECK(screen.has("map=1"));
    CHECK(num_maps(screen) == 1);
    CHECK_FALSE(screen.state().view.head);  // nothing was chosen yet
    const ImVec2 place = screen.middle("map=1");
    const auto swipe = [&](float way) { screen.drag(place, {place.x + way, place.y + 5}); };
    SECTION("to the left") {
        swipe(-120);
        CHECK(screen.state().view.head == 1);
        CHECK(screen.has("map=2"));
        CHECK_FALSE(screen.state().view.cell);  // no tap
        swipe(-120);
        CHECK(screen.state().view.head == 1);  // the last one
        swipe(120);
        CHECK(screen.state().view.head == 0);
    }
    SECTION("a short one is none") {
        swipe(-15);
        CHECK_FALSE(screen.state().view.head);
    }
    SECTION("the buttons do the same") {
        screen.click("head+");
        CHECK(screen.has("map=2"));
        screen.click("head-");
        CHECK(screen.has("map=1"));
    }
    SECTION("a tap pins") {
        screen.click(cell_place(screen, 0, 7, 4));
        CHECK(pinned(screen) == Cell{0, 7, 4});
    }
    SECTION("the pinned cell goes along to the next head") {
        screen.click(cell_place(screen, 0, 7, 4));
        swipe(-120);
        CHECK(pinned(screen) == Cell{1, 7, 4});
    }
}

TEST_CASE("a phone with a pinned cell shows its head", "[heads]") {
    Screen screen({390, 844}, "cell=2,7,4");
    CHECK(screen.has("map=2"));
}

TEST_CASE("the keyboard walks over the cells once Enter was pressed, and leaves with Escape", "[heads][keyboard]") {
    Screen screen({1280, 800}, "heads=4&d_out=8");
    focus_cells(screen);
    screen.press(ImGuiKey_DownArrow);  // not yet: the arrows belong to the screen
    CHECK_FALSE(screen.state().view.cell);
    focus_cells(screen);
    screen.press(ImGuiKey_Enter);
    CHECK(pinned(screen) == Cell{0, 0, 0});
    screen.press(ImGuiKey_DownArrow);
    screen.press(ImGuiKey_DownArrow);
    screen.press(ImGuiKey_RightArrow);
    CHECK(pinned(screen) == Cell{0, 2, 1});
    screen.press(ImGuiKey_UpArrow);
    screen.press(ImGuiKey_LeftArrow);
    screen.press(ImGuiKey_LeftArrow);  // the edge holds
    CHECK(pinned(screen) == Cell{0, 1, 0});
    screen.press(ImGuiKey_PageDown);
    CHECK(pinned(screen) == Cell{1, 1, 0});
    screen.press_with_ctrl(ImGuiKey_RightArrow);
    CHECK(pinned(screen) == Cell{2, 1, 0});
    screen.press(ImGuiKey_PageUp);
    screen.press(ImGuiKey_PageUp);
    screen.press(ImGuiKey_PageUp);  // from the first head to the last
    CHECK(pinned(screen) == Cell{3, 1, 0});
    CHECK(ImGui::GetCurrentContext()->NavId == screen.at("cells").id);  // the focus stayed all the time
    screen.press(ImGuiKey_Escape);
    screen.press(ImGuiKey_RightArrow);
    CHECK(pinned(screen) == Cell{3, 1, 0});
}

TEST_CASE("an enlarged head follows the keys to the next head", "[heads][keyboard]") {
    Screen screen({1280, 800}, "head=1&cell=1,2,2");
    focus_cells(screen);
    screen.press(ImGuiKey_Enter);
    screen.press(ImGuiKey_PageDown);
    CHECK(pinned(screen) == Cell{1, 2, 2});
    CHECK(screen.state().view.head == 1);
    screen.press(ImGuiKey_Escape);  // out of the cells, not yet out of the head
    CHECK(screen.state().view.head == 1);
    screen.press(ImGuiKey_Escape);
    CHECK_FALSE(screen.state().view.head);
}

TEST_CASE("many heads scroll, and only those in sight are drawn", "[heads]") {
    Screen screen({1280, 800}, "heads=1024&d_out=1024&d_in=2&text=a+b+c+d");
    CHECK(num_maps(screen) > 2);
    CHECK(num_maps(screen) < 60);
    const int before = num_maps(screen);
    screen.point_at("map=1");
    for (int k = 0; k < 30; ++k) {
        ImGui::GetIO().AddMouseWheelEvent(0, -3);
        screen.settle();
    }
    CHECK_FALSE(screen.has("map=1"));
    CHECK(num_maps(screen) <= before + 20);
}

TEST_CASE("a link to a cell of a far head brings it into sight", "[heads]") {
    Screen screen({1280, 800}, "heads=16&d_out=64&cell=15,7,4");
    REQUIRE(screen.has("map=15"));
    CHECK_FALSE(screen.at("map=15").is_clipped);
    screen.state().view.cell = Cell{0, 3, 2};
    screen.settle();
    REQUIRE(screen.has("map=1"));
    CHECK_FALSE(screen.at("map=1").is_clipped);
}

TEST_CASE("the visitor may scroll away from the pinned cell", "[heads]") {
    Screen screen({1280, 800}, "heads=16&d_out=64&cell=1,7,4");
    screen.point_at("map=1");
    for (int k = 0; k < 10; ++k) {
        ImGui::GetIO().AddMouseWheelEvent(0, -3);
        screen.settle();
    }
    CHECK_FALSE(screen.has("map=1"));
}

TEST_CASE("a table is as wide as its numbers and scrolls sideways", "[heads]") {
    Screen screen({1280, 800}, "view=numbers&stage=scores");
    const UiItem& map = screen.at("map=1");
    CHECK((map.max.x - map.min.x) / 11 > 45);  // "−0.1234" and room around it
    CHECK(map.is_clipped);
}

TEST_CASE("where a table scrolls sideways alone, the bar lies below its last row", "[heads]") {
    Screen screen({390, 844}, "view=numbers&stage=scores");
    const UiItem before = screen.at("map=1");
    REQUIRE(before.max.x > 390);
    screen.point_at(ImVec2(before.min.x + 20, before.min.y + 20));
    ImGui::GetIO().AddMouseWheelEvent(0, -3);
    screen.settle();
    CHECK(screen.at("map=1").min.y == before.min.y);
}

TEST_CASE("hidden values are neither printed nor tabled", "[heads]") {
    Screen screen({1280, 800}, "view=numbers&hide=values");
    const UiItem& map = screen.at("map=1");
    CHECK(map.max.x - map.min.x == Catch::Approx(map.max.y - map.min.y));  // square: colours, no table
}

TEST_CASE("2,048 tokens and 12 heads are shown and pointed at", "[heads][bad-input]") {
    std::string link = "heads=12&d_out=24&d_in=4&text=";
    for (int k = 0; k < 2048; ++k) link += "a+";
    Screen screen({1280, 800}, link);
    CHECK(num_maps(screen) >= 2);
    const UiItem& map = screen.at("map=1");
    screen.point_at(ImVec2(map.min.x + 0.5F, map.max.y - 0.5F));
    REQUIRE(screen.hover().cell);
    CHECK(screen.hover().cell->row > 2000);
    CHECK(screen.hover().cell->column < 48);
}

TEST_CASE("one token is one cell", "[heads][bad-input]") {
    Screen screen({1280, 800}, "text=Hello");
    const UiItem& map = screen.at("map=1");
    CHECK(map.max.x - map.min.x <= 200);
    screen.click("map=1");
    CHECK(pinned(screen) == Cell{0, 0, 0});
}
