// The tabs of the views and the buttons beside them: what is in sight in which window.
#include "ui/shell/view_bar.h"

#include <algorithm>
#include <vector>

#include "core/ground/check.h"
#include "playground/state/view_table.h"
#include "playground/state/words.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr const char* kFirstTabs[] = {"view=matrix", "view=lines", "view=model",
                                      "view=cache",  "view=learn", "view=compare"};

// All that stands in the row of the tabs, from left to right: none is cut, none covers another.
void check_row(Screen& screen) {
    const float top = screen.at("view=matrix").min.y;
    std::vector<UiItem> row;
    for (const UiItem& item : screen.items()) {
        const bool is_of_bar = item.name.starts_with("view") || item.name == "check" || item.name == "lessons" ||
                               item.name == "share" || item.name == "undo" || item.name == "redo";
        if (is_of_bar && item.min.y == top) row.push_back(item);
    }
    std::sort(row.begin(), row.end(), [](const UiItem& a, const UiItem& b) { return a.min.x < b.min.x; });
    for (std::size_t i = 0; i < row.size(); ++i) {
        CAPTURE(row[i].name);
        CHECK_FALSE(row[i].is_clipped);
        if (i > 0) CHECK(row[i].min.x >= row[i - 1].max.x);
    }
}

}  // namespace

TEST_CASE("six views are tabs at 1280 points, whichever is chosen", "[views]") {
    for (const ViewInfo& info : kViews) {
        if (info.kind == ViewKind::door) continue;  // it has no bar
        CAPTURE(info.name);
        Screen screen({1280, 744}, concat("view=", info.name));
        screen.surroundings.page_shows_sentence = true;
        screen.settle();
        for (const char* tab : kFirstTabs) CHECK(screen.has(tab));
        CHECK(screen.has("views"));
        CHECK(screen.has("lessons"));
        CHECK(screen.has("search"));
        check_row(screen);
    }
}

TEST_CASE("all views are tabs at 1920 points, with the inspector beside them", "[views]") {
    for (const ViewInfo& info : kViews) {
        if (info.kind == ViewKind::door) continue;  // it has no bar
        CAPTURE(info.name);
        Screen screen({1920, 1024}, concat("view=", info.name));
        for (const ViewInfo& other : kViews)
            CHECK(screen.has(concat("view=", other.name)) == (other.kind != ViewKind::door));
        check_row(screen);
    }
}

TEST_CASE("the tabs stay where they are when another view is chosen", "[views]") {
    Screen screen({1280, 744});
    const float lines = screen.at("view=lines").min.x;
    const float compare = screen.at("view=compare").min.x;
    for (const ViewInfo& info : kViews) {
        if (info.kind == ViewKind::door) continue;
        screen.state().view.view = info.kind;
        screen.settle();
        CAPTURE(info.name);
        CHECK(screen.at("view=lines").min.x == lines);
        CHECK(screen.at("view=compare").min.x == compare);
    }
}

TEST_CASE("More lists the views without a tab, and is called after the one that is chosen", "[views]") {
    Screen screen({1280, 744});
    const float more = screen.at("views").max.x - screen.at("views").min.x;
    screen.click("views");
    for (const ViewInfo& info : kViews) CHECK(screen.has(concat("view=", info.name)));
    screen.click("view=numbers");
    CHECK(screen.state().view.view == ViewKind::numbers);
    CHECK_FALSE(screen.has("view=numbers"));
    CHECK(screen.at("views").max.x - screen.at("views").min.x > more);
}

TEST_CASE("beside the tabs Check me and Share are icons up to 2000 points, and keep their names", "[views]") {
    const auto width_of = [](Screen& screen, const char* name) {
        return screen.at(name).max.x - screen.at(name).min.x;
    };
    for (const char* name : {"check", "share"}) {
        CAPTURE(name);
        Screen wide({2200, 1200});
        CHECK(width_of(wide, name) > 50);
    }
    Screen narrow({1280, 744});
    for (const char* name : {"check", "share"}) CHECK(width_of(narrow, name) < 40);
    for (const auto& [name, words] : {std::pair("check", "Check me"), std::pair("share", "Share")}) {
        ImGui::GetCurrentContext()->NavId = narrow.at(name).id;
        ImGui::SetNavCursorVisible(true);
        narrow.frame();
        CHECK(narrow.ui().focus_words() == words);
    }
}
