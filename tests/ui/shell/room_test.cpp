// The picture has the room it needs: rows in sight on small screens, numbers in the cells on larger ones, buttons that
// stay where they are.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/state/view_table.h"
#include "ui/matrix/heads_values.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr std::string_view kBrush = "text=The+artist+painted+the+portrait+of+a+woman+with+a+brush";

// Canvases under the page's bar: the smallest phone, a phone, a phone on its side, a laptop at 200 %.
struct Window {
    const char* name;
    ImVec2 size;
    bool is_touch;
};
const Window kSmallWindows[] = {{"320 x 480", {320, 431}, true},
                                {"360 x 640", {360, 583}, true},
                                {"844 x 390", {844, 341}, true},
                                {"640 x 400", {640, 351}, false}};

void put_in_page(Screen& screen, bool is_touch = false) {
    screen.surroundings.page_shows_sentence = true;
    screen.surroundings.is_touch = is_touch;
    screen.settle();
}

// How many rows of the first map are in sight, of those it has.
float rows_in_sight(Screen& screen, int num_rows) {
    for (const UiItem& map : screen.items()) {
        if (!map.name.starts_with("map=")) continue;
        const UiItem* seen = screen.find("seen=" + map.name.substr(4));
        const float cell = (map.max.y - map.min.y) / static_cast<float>(num_rows);
        return seen == nullptr ? 0 : (seen->max.y - seen->min.y) / cell;
    }
    return 0;
}

float cell_width(Screen& screen, const std::string& map, int columns) {
    return (screen.at(map).max.x - screen.at(map).min.x) / static_cast<float>(columns);
}

// A hundredth of a row may be lost to device pixels.
constexpr float kLeeway = 0.01F;

}  // namespace

TEST_CASE("eight rows of the lecture's sentence are in sight in every small window", "[room]") {
    for (const Window& window : kSmallWindows) {
        for (const std::string_view link :
             {"", "&head=2", "&cell=1,10,1", "&heads=1", "&stage=scores", "&goal=pattern&target=1:10>1&steps=64"}) {
            CAPTURE(window.name, link);
            Screen screen(window.size, std::string(kBrush) + std::string(link));
            put_in_page(screen, window.is_touch);
            CHECK(rows_in_sight(screen, 11) >= 8 - kLeeway);
        }
    }
}

TEST_CASE("in every step of every lesson the map keeps its rows beside the text", "[room][lessons]") {
    for (const Window& window : kSmallWindows) {
        for (const Lesson& lesson : lessons()) {
            for (int step = 0; step < static_cast<int>(lesson.steps.size()); ++step) {
                PlaygroundState state;
                go_to_step(state, lesson, step);
                const bool is_map = state.view.view == ViewKind::matrix && state.view.check.empty();
                if (!is_map) continue;
                CAPTURE(window.name, lesson.name, step);
                Screen screen(window.size, "lesson=" + std::string(lesson.name) + "&step=" + std::to_string(step + 1));
                put_in_page(screen, window.is_touch);
                const int rows = screen.evaluation().num_tokens();
                CHECK(rows_in_sight(screen, rows) >= static_cast<float>(std::min(rows, 8)) - kLeeway);
            }
        }
    }
}

TEST_CASE("a table of many printed numbers leaves the map room for its own", "[room][lessons]") {
    for (const std::string_view link : {"lesson=causal&step=3", "lesson=dropout&step=2", "lesson=trainable&step=11"}) {
        CAPTURE(link);
        Screen screen({1280, 744}, link);
        put_in_page(screen);
        const float folded = cell_width(screen, "map=1", 6);
        CHECK(folded >= 32);
        screen.click("printed=fold");  // it stands beside the map
        CHECK(cell_width(screen, "map=1", 6) == folded);
    }
    Screen screen({640, 820}, "lesson=causal&step=3");  // a phone's has it below
    put_in_page(screen);
    CHECK(cell_width(screen, "map=1", 6) >= 32);
    screen.click("printed=fold");  // unfolded, it scrolls in the card
    CHECK(cell_width(screen, "map=1", 6) >= 32);
}

TEST_CASE("in small windows a view shows its picture before its buttons", "[room]") {
    for (const Window& window : kSmallWindows) {
        CAPTURE(window.name);
        {
            Screen screen(window.size, "text=a+b+c&heads=1&view=compare&compare=seed%3D7");
            put_in_page(screen, window.is_touch);
            CHECK(screen.at("map=A").min.y < screen.at("compare=now").min.y);
            CHECK_FALSE(screen.at("map=A").is_clipped);
        }
        {
            Screen screen(window.size, "view=dots");
            put_in_page(screen, window.is_touch);
            CHECK(screen.at("pairs+").min.y - screen.at("lessons").max.y > 190);
        }
        {
            Screen screen(window.size, "lesson=trainable&step=6");
            put_in_page(screen, window.is_touch);
            CHECK(screen.at("plane").min.y < screen.at("query+").min.y);
        }
    }
}

TEST_CASE("on a phone the arrows of a lesson are seen whole", "[room][lessons]") {
    Screen screen(kSmallWindows[1].size, "lesson=trainable&step=6");
    put_in_page(screen, true);
    CHECK_FALSE(screen.at("plane").is_clipped);
}

TEST_CASE("on a phone the three shapes of a tensor take one line", "[room]") {
    Screen screen(kSmallWindows[1].size, std::string(kBrush) + "&d_out=4&heads=2&view=split");
    put_in_page(screen, true);
    CHECK(screen.at("phase=1").min.y == screen.at("phase=3").min.y);
    CHECK(screen.at("phase=3").max.x <= kSmallWindows[1].size.x);
    CHECK(screen.at("phase=1").max.y - screen.at("phase=1").min.y < 45);
}

TEST_CASE("the smallest phone shows every line of its first words", "[room]") {
    Screen screen(kSmallWindows[0].size);
    put_in_page(screen, true);
    const float lines = 4 * kTextSize;
    CHECK(kSmallWindows[0].size.y - screen.at("inspector").min.y > 22 + lines);
}

TEST_CASE("on a phone the questions of a check are covered by no sheet", "[room][lessons]") {
    Screen screen(kSmallWindows[1].size, "lesson=no-weights&step=5");
    put_in_page(screen, true);
    CHECK_FALSE(screen.has("inspector"));
    CAPTURE(screen.at("check hint").min.y, screen.at("check hint").max.y, screen.at("lesson=leave").min.y);
    CHECK_FALSE(screen.at("check hint").is_clipped);
}

TEST_CASE("on a laptop up to four heads of the lecture's sentence print their numbers", "[room]") {
    for (const std::string_view link :
         {"&heads=2", "&d_out=8&heads=4", "&heads=2&lesson=split", "&heads=2&stage=scores"}) {
        CAPTURE(link);
        Screen screen({1280, 744}, std::string(kBrush) + std::string(link));
        put_in_page(screen);
        StageMemory memory;
        const ShownStage stage = shown_stage(screen.evaluation(), 1, screen.state().view.stage, memory);
        CHECK(cell_width(screen, "map=1", 11) >= smallest_printed_cell(stage));
    }
}

TEST_CASE("three tokens use the room of a large screen", "[room]") {
    Screen screen({1920, 1024}, "text=The+cat+sat&heads=1");
    CHECK(screen.at("map=1").max.y - screen.at("map=1").min.y >= 500);
}

TEST_CASE("an enlarged head is as large as fits", "[room]") {
    Screen screen({1280, 744}, std::string(kBrush) + "&d_in=6&heads=2&head=1");
    put_in_page(screen);
    CHECK(screen.at("map=1").max.y - screen.at("map=1").min.y >= 390);
}

TEST_CASE("Back and Next stand in one place in all steps of a lesson", "[room][lessons]") {
    const ImVec2 size = GENERATE(ImVec2(360, 583), ImVec2(1280, 744), ImVec2(640, 351), ImVec2(1920, 1024));
    const std::string lesson = GENERATE("causal", "readings", "scaling");  // some views have no inspector
    Screen screen(size, concat("lesson=", lesson));
    put_in_page(screen);
    const UiItem first = screen.at("step+");
    const UiItem back = screen.at("step-");
    const int num_steps = static_cast<int>(lesson_of(screen.state().view)->steps.size());
    for (int step = 1; step < num_steps; ++step) {
        screen.click("step+");
        REQUIRE(screen.state().view.step == step);
        if (screen.state().inputs.texts.size() > 1) return;  // the switch of a batch has a line of its own above
        CAPTURE(step, size.x);
        CHECK(screen.at("step+").max.x == first.max.x);
        CHECK(screen.at("step-").min.x == back.min.x);
        CHECK(screen.at("step+").max.y == first.max.y);
    }
}

TEST_CASE("the printed numbers of a step need no scroll bar below them on a phone", "[room][lessons]") {
    for (const char* link : {"lesson=no-weights&step=3", "lesson=trainable&step=4", "lesson=causal&step=3"}) {
        Screen screen({360, 583}, link);
        put_in_page(screen, true);
        if (screen.has("printed=fold")) screen.click("printed=fold");
        int num_seen = 0;
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            if (std::string_view(window->Name).find("/words_") == std::string_view::npos) continue;
            CAPTURE(link, window->Name);
            CHECK(window->ScrollMax.x == 0);
            ++num_seen;
        }
        CHECK(num_seen == 1);
    }
}

TEST_CASE("numbers are printed in cells that are wide and low", "[room][lessons]") {
    const auto num_corners = [](const char* link) {
        Screen screen({1280, 744}, link);
        put_in_page(screen);
        return screen.corners_in("maps of mergedall").size();
    };
    const std::size_t with_numbers = num_corners("lesson=readings&step=7");
    CHECK(with_numbers > num_corners("lesson=readings&step=7&hide=values") + 100);
}

TEST_CASE("where a phone is low, on its side or in a lesson, the cells print their numbers, and the pane is used",
          "[room]") {
    struct Low {
        ImVec2 size;
        std::string link;
        const char* window;
    };
    const Low low = GENERATE(Low{{844, 341}, "v=1", "maps of weightsone"},
                             Low{{360, 583}, "lesson=no-weights&step=3", "maps of scoresall"});
    CAPTURE(low.link);
    const auto num_corners = [&](const std::string& link) {
        Screen screen(low.size, link);
        put_in_page(screen, true);
        const UiItem& map = screen.at("map=1");
        CAPTURE(map.min.x, map.max.x, map.min.y, map.max.y, map.is_clipped);
        CHECK(map.max.x - map.min.x > 0.7F * (screen.at("cells").max.x - screen.at("cells").min.x));
        return screen.corners_in(low.window).size();
    };
    const std::size_t with_numbers = num_corners(low.link);
    CHECK(with_numbers > num_corners(low.link + "&hide=values") + 100);
}

TEST_CASE("the last row of the maps of training is in sight beside a lesson", "[room][lessons]") {
    for (const ImVec2 size : {ImVec2(1280, 744), ImVec2(860, 584)}) {
        Screen screen(size, "lesson=readings&step=2");
        put_in_page(screen);
        const ImGuiWindow* learn = nullptr;
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            if (std::string_view(window->Name).find("/learn_") != std::string_view::npos) learn = window;
        }
        REQUIRE(learn != nullptr);
        CAPTURE(size.x, learn->ScrollMax.y);
        CHECK(learn->ScrollMax.y <= 70);  // words below the curve
    }
}

TEST_CASE("the folded line shows its tokens at a press", "[room]") {
    Screen screen(kSmallWindows[1].size, kBrush);
    put_in_page(screen, true);
    CHECK_FALSE(screen.has("token=3"));
    screen.click("tokens");
    CHECK(screen.has("token=3"));
    screen.click("tokens");
    CHECK_FALSE(screen.has("token=3"));
}

TEST_CASE("on a phone no view's tab covers the buttons beside it", "[room]") {
    for (const ImVec2 size : {ImVec2(320, 480), ImVec2(360, 640)}) {
        for (const ViewInfo& info : kViews) {
            if (info.kind == ViewKind::door) continue;  // it has no tabs
            CAPTURE(size.x, info.name);
            Screen screen(size, concat("text=one+two+three&view=", info.name));
            CHECK(screen.at("views").max.x <= screen.at("check").min.x);
        }
    }
}

TEST_CASE("the maps of a lesson with targets show every row at 1280 x 800", "[room]") {
    for (const char* link : {"lesson=heads&step=6", "lesson=head-dim", "lesson=readings"}) {
        CAPTURE(link);
        Screen screen({1280, 800}, link);
        const UiItem& cells = screen.at("cells");
        CHECK_FALSE(cells.is_clipped);
    }
}

TEST_CASE("a lesson that trains leaves its maps room for their numbers on a laptop", "[room][lessons]") {
    Screen screen({1280, 744}, "lesson=readings&step=3&check=");  // without a question on its card
    put_in_page(screen);
    StageMemory memory;
    const ShownStage stage = shown_stage(screen.evaluation(), 1, screen.state().view.stage, memory);
    CHECK_FALSE(screen.at("map=1").is_clipped);
    CHECK(cell_width(screen, "map=1", 11) >= smallest_printed_cell(stage) + 3);
}
