// Painting targets on the maps, by pointer, finger, keys and preset.
#include "core/ground/check.h"
#include "ui/screen.h"
#include "views/words/announcement.h"

using namespace attn;
using namespace attn::testing;

namespace {

// The middle of a cell of a map of the weights.
ImVec2 weight_place(Screen& screen, int head, int row, int column) {
    const UiItem& map = screen.at(concat("map=", head + 1));
    const auto count = static_cast<float>(screen.evaluation().num_tokens());
    return {map.min.x + (map.max.x - map.min.x) * (static_cast<float>(column) + 0.5F) / count,
            map.min.y + (map.max.y - map.min.y) * (static_cast<float>(row) + 0.5F) / count};
}

void focus_maps(Screen& screen) {
    for (int k = 0; k < 400 && ImGui::GetCurrentContext()->NavId != screen.at("cells").id; ++k)
        screen.press(ImGuiKey_Tab);
    REQUIRE(ImGui::GetCurrentContext()->NavId == screen.at("cells").id);
}

// A preset, which may stand behind the button of all, in a folded group.
void choose_painting(Screen& screen, std::string_view name) {
    if (!screen.has(name) && !screen.has("paint presets")) screen.click("group=learning");
    if (!screen.has(name)) screen.click("paint presets");
    screen.click(name);
}

using Targets = std::vector<TargetCell>;

}  // namespace

TEST_CASE("while painting is on, a click makes a cell its head's target, and another takes it back", "[paint]") {
    Screen screen;
    const Inputs before = screen.state().inputs;
    screen.click(weight_place(screen, 0, 10, 1));
    CHECK(screen.state().inputs == before);  // it is only pinned
    screen.click("paint=hand");
    screen.click(weight_place(screen, 1, 10, 7));
    CHECK(screen.state().inputs.targets == Targets{{.head = 1, .query = 10, .key = 7}});
    CHECK(screen.state().inputs.goal == GoalKind::pattern);
    CHECK(screen.state().inputs.steps == 0);
    CHECK(screen.state().view.cell == Cell{1, 10, 7});
    CHECK(announcement_of(screen.state(), screen.evaluation()).find("; target: head 2: brush should look at woman") !=
          std::string::npos);
    screen.click(weight_place(screen, 1, 10, 7));
    CHECK(screen.state().inputs == before);
    screen.click("paint=hand");
    screen.click(weight_place(screen, 1, 9, 7));
    CHECK(screen.state().inputs == before);
    CHECK(screen.state().view.cell == Cell{1, 9, 7});
}

TEST_CASE("painting moves no cell under the pointer", "[paint]") {
    const ImVec2 size = GENERATE(ImVec2(1280, 744), ImVec2(1280, 1000));
    Screen screen(size, "");
    screen.click("paint=hand");
    const UiItem map = screen.at("map=1");
    for (const int key : {1, 7, 5, 3, 1}) {
        screen.click(weight_place(screen, 0, 10, key));
        CAPTURE(size.y, key);
        CHECK(screen.at("map=1").min.y == map.min.y);
        CHECK(screen.at("map=1").max.y == map.max.y);
        CHECK(screen.at("map=1").min.x == map.min.x);
    }
}

TEST_CASE("a drag paints every cell on its way, or erases where it began on a target", "[paint]") {
    Screen screen;
    screen.click("paint=hand");
    const auto drag = [&] { screen.drag(weight_place(screen, 0, 10, 2), weight_place(screen, 0, 10, 6)); };
    drag();
    Targets row;
    for (int key = 2; key <= 6; ++key) row.push_back({.query = 10, .key = key});
    CHECK(screen.state().inputs.targets == row);
    screen.click(weight_place(screen, 0, 4, 4));
    drag();
    CHECK(screen.state().inputs.targets == Targets{{.query = 4, .key = 4}});
}

TEST_CASE("what was painted before another view came is not painted later", "[paint]") {
    Screen screen;
    screen.click("paint=hand");
    screen.point_at(weight_place(screen, 0, 10, 2));
    screen.hold(true);
    screen.state().view.view = ViewKind::lines;
    screen.settle();
    screen.hold(false);
    screen.state().view.view = ViewKind::matrix;
    screen.settle();
    CHECK(screen.state().inputs.targets.empty());
}

TEST_CASE("a masked cell says why it cannot be painted", "[paint][bad-input]") {
    Screen screen;
    screen.click("paint=hand");
    screen.click(weight_place(screen, 0, 4, 7));
    CHECK(screen.state().inputs.targets.empty());
    CHECK(screen.state().inputs.goal == GoalKind::none);
    CHECK(screen.notes() ==
          Notes{"target: \"portrait\" cannot look at \"woman\", which comes later: the mask hides it from every head"});
}

TEST_CASE("a map of all heads together paints all of them", "[paint]") {
    Screen screen({1280, 800}, "combine=mean");
    screen.click("paint=hand");
    screen.click(weight_place(screen, 0, 10, 1));
    CHECK(screen.state().inputs.targets ==
          Targets{{.head = 0, .query = 10, .key = 1}, {.head = 1, .query = 10, .key = 1}});
}

TEST_CASE("the keys paint: P, arrows, Space", "[paint]") {
    Screen screen({1280, 800}, "cell=1,10,2");
    focus_maps(screen);
    screen.press(ImGuiKey_Enter);
    screen.press(ImGuiKey_Space);
    CHECK(screen.state().inputs.targets.empty());  // painting is off
    screen.type("p");
    screen.press(ImGuiKey_LeftArrow);
    screen.press(ImGuiKey_Space);
    CHECK(screen.state().inputs.targets == Targets{{.query = 10, .key = 1}});
    screen.press(ImGuiKey_Space);
    CHECK(screen.state().inputs.targets.empty());
    screen.type("P");
    screen.press(ImGuiKey_Space);
    CHECK(screen.state().inputs.targets.empty());
}

TEST_CASE("a preset paints the heads that are shown, and one with nothing to ask says so", "[paint]") {
    Screen screen({1280, 1500});  // with all settings in sight
    choose_painting(screen, "paint=two readings");
    const Targets readings = {{.head = 0, .query = 10, .key = 1}, {.head = 1, .query = 10, .key = 7}};
    CHECK(screen.state().inputs.targets == readings);
    CHECK(screen.state().inputs.goal == GoalKind::pattern);
    screen.state().view.head = 1;
    screen.settle();
    choose_painting(screen, "paint=itself");
    CHECK(screen.state().inputs.targets.size() == 12);
    screen.state().inputs.texts = {"one two three"};
    screen.state().view.head.reset();
    screen.settle();
    choose_painting(screen, "paint=first");
    CHECK(screen.state().inputs.targets.size() == 6);
    choose_painting(screen, "paint=same word earlier");
    CHECK(screen.state().inputs.targets.size() == 6);
    CHECK(screen.notes() == Notes{"target: nothing is painted, no word occurs twice in this sentence"});
}

TEST_CASE("the share of a target is typed beside its number, and 0 clears it", "[paint]") {
    Screen screen({1280, 800}, "target=1:10>1,10>7&cell=1,10,1");
    const auto share = [&](const char* text) {
        screen.click("share of target");
        screen.press_with_ctrl(ImGuiKey_A);
        screen.type(text);
        screen.press(ImGuiKey_Enter);
    };
    share("3");
    REQUIRE(screen.state().inputs.targets.size() == 2);
    CHECK(screen.state().inputs.targets[0].share == 3);
    share("-1");
    CHECK(screen.state().inputs.targets[0].share == 3);
    CHECK(screen.notes() == Notes{"target: a share is a number above 0"});
    share("0");
    CHECK(screen.state().inputs.targets == Targets{{.query = 10, .key = 7}});
    CHECK_FALSE(screen.has("share of target"));
    screen.click("target=set");
    CHECK(screen.state().inputs.targets.size() == 2);
    screen.click("target=unset");
    CHECK(screen.state().inputs.targets.size() == 1);
}

TEST_CASE("a finger that rests on a cell paints it", "[paint]") {
    Screen screen({360, 640});
    screen.surroundings.is_touch = true;
    screen.settle();
    screen.point_at(weight_place(screen, 0, 6, 1));
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
    for (int frame = 0; frame < 60; ++frame) screen.frame();
    screen.hold(false);
    screen.settle();
    CHECK(screen.state().inputs.targets == Targets{{.query = 6, .key = 1}});
}

TEST_CASE("what is locked or left out is not painted", "[paint]") {
    {
        Screen locked({1280, 800}, "lock=target&target=1:10>1");
        locked.type("p");
        locked.click(weight_place(locked, 0, 10, 2));
        CHECK(locked.state().inputs.targets == Targets{{.query = 10, .key = 1}});
        CHECK_FALSE(locked.has("share of target"));
    }
    Screen hidden({1280, 800}, "hide=control.target");
    CHECK_FALSE(hidden.has("paint=hand"));
}

TEST_CASE("stages without keys have nothing to paint", "[paint]") {
    Screen screen({1280, 800}, "stage=queries");
    CHECK_FALSE(screen.has("paint=hand"));
    screen.type("p");
    screen.state().view.stage = TensorId::weights;
    screen.settle();
    screen.click(weight_place(screen, 0, 10, 2));
    CHECK(screen.state().inputs.targets.empty());
}
