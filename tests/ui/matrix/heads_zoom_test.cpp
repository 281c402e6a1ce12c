// Zooming into the maps of long texts and moving about in them: wheel, finger, keys, buttons, overview.
#include <cmath>

#include "core/ground/check.h"
#include "playground/state/cell_window.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr int kTokens = 300;

std::string long_text(const std::string& rest = "") {
    std::string link = "d_in=2&d_out=2&heads=2&text=";
    for (int k = 0; k < kTokens; ++k) link += concat(k == 0 ? "" : "+", "w", k % 50);
    return link + rest;
}

CellWindow window(int first_row, int last_row, int first_column, int last_column) {
    return {.first_row = first_row, .last_row = last_row, .first_column = first_column, .last_column = last_column};
}

CellWindow window_of(Screen& screen) {
    REQUIRE(screen.state().view.window);
    return *screen.state().view.window;
}

// The place of the matrix under a point of the map, in cells.
Anchor place_at(Screen& screen, std::string_view map, ImVec2 point) {
    const UiItem& item = screen.at(map);
    const CellWindow now = shown_window(screen.state().view, {.rows = kTokens, .columns = kTokens});
    return {
        .row = now.first_row + static_cast<double>((point.y - item.min.y) / (item.max.y - item.min.y)) * now.num_rows(),
        .column = now.first_column +
                  static_cast<double>((point.x - item.min.x) / (item.max.x - item.min.x)) * now.num_columns()};
}

ImVec2 inside(Screen& screen, std::string_view map, float across, float down) {
    const UiItem& item = screen.at(map);
    return {item.min.x + (item.max.x - item.min.x) * across, item.min.y + (item.max.y - item.min.y) * down};
}

void turn_wheel(Screen& screen, float notches, bool with_ctrl = true) {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, with_ctrl);
    ImGui::GetIO().AddMouseWheelEvent(0, notches);
    screen.frame();
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    screen.settle();
}

// A click gives the cells the keyboard's focus, and pins one.
void click_into_cells(Screen& screen) {
    screen.click(inside(screen, "map=1", 0.5F, 0.5F));
    for (int k = 0; k < 40; ++k) screen.frame();  // or the next click would be a double one
    REQUIRE(ImGui::GetCurrentContext()->NavId == screen.at("cells").id);
}

}  // namespace

TEST_CASE("the wheel with Ctrl zooms to the pointer, all heads at once", "[zoom]") {
    Screen screen({1280, 800}, long_text());
    const ImVec2 size = {screen.at("map=2").max.x - screen.at("map=2").min.x,
                         screen.at("map=2").max.y - screen.at("map=2").min.y};
    const ImVec2 corner = screen.at("map=1").min;
    const ImVec2 point = inside(screen, "map=2", 0.3F, 0.8F);
    screen.point_at(point);
    CHECK(screen.ui().takes_zoom());
    const Anchor before = place_at(screen, "map=2", point);
    for (int notch = 0; notch < 6; ++notch) turn_wheel(screen, 1);
    const CellWindow now = window_of(screen);
    CHECK(now.num_rows() < kTokens / 3);
    CHECK(now.num_rows() > kTokens / 5);  // 1.25 to the sixth is 3.8
    const Anchor after = place_at(screen, "map=2", point);
    // Half a cell of rounding a notch, each shrinking with the next: two cells are never reached.
    CHECK(std::abs(after.row - before.row) < 2);
    CHECK(std::abs(after.column - before.column) < 2);
    // The map stays where it is, up to a device pixel.
    CHECK(std::abs(screen.at("map=1").min.x - corner.x) <= 1);
    CHECK(std::abs(screen.at("map=2").max.x - screen.at("map=2").min.x - size.x) <= 1);
    CHECK(std::abs(screen.at("map=2").max.y - screen.at("map=2").min.y - size.y) <= 1);
    // What is pointed at is a cell of the part.
    REQUIRE(screen.hover().cell);
    CHECK(screen.hover().cell->head == 1);
    CHECK(screen.hover().cell->row == static_cast<int>(after.row));
    CHECK(screen.hover().cell->column == static_cast<int>(after.column));
    for (int notch = 0; notch < 12; ++notch) turn_wheel(screen, -1);
    CHECK_FALSE(screen.state().view.window);
}

TEST_CASE("the wheel alone scrolls as ever", "[zoom]") {
    Screen screen({1280, 800}, long_text());
    screen.point_at("map=1");
    turn_wheel(screen, 1, false);
    CHECK_FALSE(screen.state().view.window);
}

TEST_CASE("short texts are not zoomed", "[zoom]") {
    Screen screen({1280, 800});
    screen.point_at("map=1");
    CHECK_FALSE(screen.ui().takes_zoom());
    turn_wheel(screen, 3);
    CHECK_FALSE(screen.state().view.window);
    CHECK_FALSE(screen.has("window+"));
}

TEST_CASE("zooming in ends where cells are as large as they get", "[zoom]") {
    Screen screen({1280, 800}, long_text());
    screen.point_at("map=1");
    for (int notch = 0; notch < 40; ++notch) turn_wheel(screen, 1);
    const CellWindow now = window_of(screen);
    const float cell = (screen.at("map=1").max.x - screen.at("map=1").min.x) / static_cast<float>(now.num_columns());
    CHECK(cell <= 44.5F);  // the largest zoomed, up to a device pixel
    CHECK(cell > 20);      // numbers are printed
}

TEST_CASE("dragging a zoomed map moves all of them, and pins nothing", "[zoom]") {
    const bool is_touch = GENERATE(false, true);
    Screen screen({1280, 800}, long_text("&window=100,159,100,159"));
    screen.surroundings.is_touch = is_touch;
    screen.settle();
    const float cell = (screen.at("map=1").max.x - screen.at("map=1").min.x) / 60;
    const ImVec2 from = inside(screen, "map=1", 0.5F, 0.5F);
    screen.drag(from, {from.x - 10 * cell, from.y + 5 * cell});
    CHECK(screen.state().view.window == window(95, 154, 110, 169));
    CHECK_FALSE(screen.state().view.cell);
    screen.drag(from, {from.x + 300, from.y + 300});
    const CellWindow now = window_of(screen);
    CHECK(now.num_rows() == 60);
    CHECK(now.first_row < 95);
    CHECK(screen.notes().empty());
}

TEST_CASE("on a phone a swipe over a zoomed map moves it, over a whole one it brings the next head", "[zoom][touch]") {
    Screen screen({390, 844}, long_text());
    screen.surroundings.is_touch = true;
    screen.settle();
    const ImVec2 from = inside(screen, "map=1", 0.6F, 0.3F);
    screen.drag(from, {from.x - 120, from.y});
    CHECK(screen.state().view.head == 1);
    screen.state().view.head.reset();
    screen.state().view.window = window(0, 59, 100, 159);
    screen.settle();
    screen.drag(from, {from.x - 120, from.y});
    CHECK_FALSE(screen.state().view.head);
    CHECK(window_of(screen).first_column > 110);
}

TEST_CASE("a double click leads back to the whole, then to one head", "[zoom]") {
    Screen screen({1280, 800}, long_text("&window=100,159,100,159"));
    screen.point_at(inside(screen, "map=2", 0.4F, 0.6F));
    const auto double_click = [&] {
        for (int k = 0; k < 2; ++k) {
            screen.hold(true);
            screen.hold(false);
        }
        for (int k = 0; k < 40; ++k) screen.frame();
    };
    double_click();
    CHECK_FALSE(screen.state().view.window);
    CHECK_FALSE(screen.state().view.head);
    double_click();
    CHECK(screen.state().view.head == 1);
}

TEST_CASE("plus, minus and zero zoom while the maps have the focus", "[zoom][keys]") {
    Screen screen({1280, 800}, long_text());
    screen.type("+");
    CHECK_FALSE(screen.state().view.window);  // nothing has the focus
    click_into_cells(screen);
    screen.type("+");
    const CellWindow once = window_of(screen);
    const Cell pinned = screen.state().view.cell.value();
    CHECK(once.contains(pinned.row, pinned.column));
    screen.type("+");
    CHECK(window_of(screen).num_rows() < once.num_rows());
    screen.type("-");
    CHECK(std::abs(window_of(screen).num_rows() - once.num_rows()) <= 1);
    screen.type("0");
    CHECK_FALSE(screen.state().view.window);
}

TEST_CASE("inside the cells Shift and the arrows move the part, the arrows alone the cell, and the part follows",
          "[zoom][keys]") {
    Screen screen({1280, 800}, long_text("&window=100,179,100,179&cell=1,101,102"));
    CHECK(screen.state().view.window == window(100, 179, 100, 179));
    for (int k = 0; k < 400 && ImGui::GetCurrentContext()->NavId != screen.at("cells").id; ++k)
        screen.press(ImGuiKey_Tab);
    screen.press(ImGuiKey_Enter);
    press_with_shift(screen, ImGuiKey_RightArrow);
    CHECK(screen.state().view.window == window(100, 179, 110, 189));
    press_with_shift(screen, ImGuiKey_UpArrow);
    CHECK(screen.state().view.window == window(90, 169, 110, 189));
    CHECK(screen.state().view.cell == Cell{0, 101, 102});
    screen.press(ImGuiKey_LeftArrow);  // the cell is out of sight: the part comes back to it
    CHECK(screen.state().view.cell == Cell{0, 101, 101});
    CHECK(screen.state().view.window == window(90, 169, 101, 180));
}

TEST_CASE("a link that brings a cell and a part elsewhere is shown as it says", "[zoom]") {
    Screen screen({1280, 800}, long_text("&window=100,159,0,59&cell=2,20,7"));
    CHECK(screen.state().view.window == window(100, 159, 0, 59));
    CHECK(screen.state().view.cell == Cell{1, 20, 7});
}

TEST_CASE("long maps have buttons that say what they show", "[zoom]") {
    const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(700, 900), ImVec2(390, 844));
    Screen screen(size, long_text());
    CHECK(screen.has("window hint"));
    CHECK_FALSE(screen.has("overview"));
    screen.click("window+");
    const CellWindow once = window_of(screen);
    CHECK(once.num_rows() < kTokens);
    CHECK(screen.has("overview"));
    CHECK(screen.has("window"));
    screen.click("window+");
    CHECK(window_of(screen).num_rows() < once.num_rows());
    screen.click("window-");
    screen.click("window=");
    CHECK_FALSE(screen.state().view.window);
    CHECK_FALSE(screen.has("overview"));
}

TEST_CASE("the overview's frame is dragged, and a press beside it brings it there", "[zoom]") {
    Screen screen({1280, 800}, long_text("&window=0,59,0,59"));
    const UiItem overview = screen.at("overview");
    const ImVec2 way = {(overview.max.x - overview.min.x) / 2, (overview.max.y - overview.min.y) / 2};
    const ImVec2 frame = {overview.min.x + way.x * 0.3F, overview.min.y + way.y * 0.3F};
    screen.drag(frame, {frame.x + way.x, frame.y + way.y});
    const CellWindow now = window_of(screen);
    CHECK(now.num_rows() == 60);
    CHECK(std::abs(now.first_row - kTokens / 2) < 30);
    CHECK(std::abs(now.first_column - kTokens / 2) < 30);
    screen.click({overview.min.x + 2 * way.x - 12, overview.min.y + 12});
    CHECK(window_of(screen).first_row < 30);
    CHECK(window_of(screen).last_column > 270);
    CHECK_FALSE(screen.state().view.cell);
}

TEST_CASE("a locked part stays", "[zoom]") {
    Screen screen({1280, 800}, long_text("&window=100,159,100,159&lock=window"));
    screen.point_at("map=1");
    CHECK_FALSE(screen.ui().takes_zoom());
    turn_wheel(screen, 2);
    screen.drag(inside(screen, "map=1", 0.5F, 0.5F), inside(screen, "map=1", 0.2F, 0.2F));
    CHECK(screen.state().view.window == window(100, 159, 100, 159));
}

TEST_CASE("a hidden control is not there", "[zoom]") {
    Screen screen({1280, 800}, long_text("&hide=control.window"));
    CHECK_FALSE(screen.has("window+"));
}

TEST_CASE("every stage in every view is drawn with a part of it enlarged", "[zoom][property]") {
    Screen screen({1280, 800},
                  long_text("&dropout=0.2&window=100,159,1,40&select=3,120&target=5>2,130>20&cell=1,130,1"));
    for (const TensorId stage : present_stages(screen.state().inputs)) {
        for (const ViewKind view : {ViewKind::matrix, ViewKind::numbers, ViewKind::lines}) {
            for (const Combine combine : {Combine::none, Combine::mean}) {
                screen.state().view.stage = stage;
                screen.state().view.view = view;
                screen.state().view.combine = combine;
                screen.settle();
                CAPTURE(tensor_name(stage), static_cast<int>(view));
                CHECK(screen.state().view.window);
                CHECK(screen.has("overview") == (view == ViewKind::matrix));
                screen.state().view.cell = Cell{.head = 0, .row = 130, .column = 1};  // the stage may have moved it
            }
        }
    }
}
