// Menus and cards at their buttons, tips beside what they are about.
#include "ui/kit/place.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

bool overlap(const ScreenBox& a, const ScreenBox& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

bool is_near(float a, float b) {
    return std::abs(a - b) < 1.5F;
}

// The popup that was opened last.
const ImGuiWindow& open_popup() {
    const ImVector<ImGuiPopupData>& stack = ImGui::GetCurrentContext()->OpenPopupStack;
    REQUIRE(stack.Size > 0);
    REQUIRE(stack.back().Window != nullptr);
    return *stack.back().Window;
}

void check_at_button(Screen& screen, const UiItem& button) {
    const ImGuiWindow& popup = open_popup();
    const ImRect box = popup.Rect();
    CAPTURE(button.name, box.Min.x, box.Max.x, box.Min.y, box.Max.y, button.min.x, button.max.x, button.max.y);
    const bool has_edge = is_near(box.Min.x, button.min.x) || is_near(box.Max.x, button.max.x);
    const bool is_wider = button.min.x + box.GetWidth() > screen.size().x - 8 && button.max.x - box.GetWidth() < 8;
    CHECK((has_edge || is_wider));
    const bool is_below = is_near(box.Min.y, button.max.y + 4);
    const bool is_above = is_near(box.Max.y, button.min.y - 4);
    const bool is_low = screen.size().y - button.max.y < 260 && button.min.y < 260;
    CHECK((is_below || is_above || is_low));
    CHECK(box.Min.x >= 0);
    CHECK(box.Min.y >= 0);
    CHECK(box.Max.x <= screen.size().x);
    CHECK(box.Max.y <= screen.size().y);
}

}  // namespace

TEST_CASE("menus and cards have an edge at their button's edge at every width", "[place][popups]") {
    const float width = GENERATE(320.0F, 500.0F, 640.0F, 700.0F, 860.0F, 1000.0F, 1280.0F, 1920.0F);
    const float height = GENERATE(480.0F, 743.0F, 1020.0F);
    for (const char* opener : {"views", "lessons", "share", "about", "performance"}) {
        Screen screen({width, height}, "text=The+cat+sat&embed=typed");
        const bool is_phone = width < 680;  // there Share and the cards fill the canvas
        const bool is_in_settings = std::string_view(opener) == "about" || std::string_view(opener) == "performance";
        if (is_phone && (is_in_settings || std::string_view(opener) == "share")) continue;
        CAPTURE(width, height, opener);
        if (is_in_settings) {
            if (!screen.has(opener)) screen.click("settings");
            screen.point_at({screen.has("settings") ? width - 60 : 60.0F, height / 2});
            screen.scroll_to(opener);
        }
        if (!screen.has(opener)) continue;  // all views have a tab of their own
        screen.click(opener);
        check_at_button(screen, screen.at(opener));
    }
}

TEST_CASE("the settings' drawer opens at the edge where its button is", "[place][popups]") {
    const float width = GENERATE(320.0F, 500.0F, 800.0F);
    Screen screen({width, 600}, "text=The+cat+sat");
    screen.click("settings");
    CHECK(screen.at("settings=close").max.x > width - 20);
    CHECK(screen.at("sentences-").min.x > 40);  // beside the drawer a click closes it
    screen.click(ImVec2(20, 300));
    CHECK_FALSE(screen.has("settings=close"));
}

TEST_CASE("a tip covers neither its cell nor the eight around it", "[place][property]") {
    const float cell = GENERATE(8.0F, 24.0F, 60.0F, 96.0F);
    const ImVec2 display = GENERATE(ImVec2(1280, 743), ImVec2(700, 600), ImVec2(1920, 1020));
    const ImVec2 size = {220, 74};
    int num_covered = 0, num_outside = 0;
    for (float x = 0; x + cell <= display.x; x += 37) {
        for (float y = 100; y + cell <= display.y; y += 29) {
            const ImVec2 corner = tip_corner(size, {{x, y}, {x + cell, y + cell}}, display);
            const ScreenBox tip = {corner, {corner.x + size.x, corner.y + size.y}};
            const ScreenBox around = {{x - cell, y - cell}, {x + 2 * cell, y + 2 * cell}};
            num_covered += overlap(tip, around) ? 1 : 0;
            const bool is_outside = tip.min.x < 0 || tip.min.y < 0 || tip.max.x > display.x || tip.max.y > display.y;
            num_outside += is_outside ? 1 : 0;
        }
    }
    CHECK(num_covered == 0);
    CHECK(num_outside == 0);
}

TEST_CASE("a tip lies over nothing in the row or the column of what it is about", "[place][property]") {
    const ImVec2 display = {1280, 743}, size = {220, 74};
    for (float x = 0; x + 90 <= display.x; x += 41) {
        for (float y = 0; y + 46 <= display.y; y += 23) {
            const ImVec2 corner = tip_corner(size, {{x, y}, {x + 90, y + 46}}, display);
            CAPTURE(x, y, corner.x, corner.y);
            CHECK((corner.y >= y + 46 || corner.y + size.y <= y));
            CHECK((corner.x >= x + 90 || corner.x + size.x <= x));
        }
    }
}

TEST_CASE("the tip of a stage lies on no other stage", "[place][tips]") {
    Screen screen({1280, 800}, "text=The+artist+painted+the+portrait+of+a+woman");
    for (const char* stage : {"stage=embeddings", "stage=scores", "stage=weights", "stage=context"}) {
        screen.point_at(stage);
        for (int wait = 0; wait < 60; ++wait) screen.frame();
        const ImGuiWindow* tip = ImGui::FindWindowByName("##Tooltip_00");
        REQUIRE(tip != nullptr);
        REQUIRE(tip->Active);
        const ImRect box = tip->Rect();
        for (const UiItem& item : screen.items()) {
            CAPTURE(stage, item.name);
            if (item.name.starts_with("stage=")) CHECK_FALSE(overlap({box.Min, box.Max}, {item.min, item.max}));
        }
    }
}

TEST_CASE("the tip of a map leaves the cells beside the pointed one free", "[place][tips]") {
    const char* link = GENERATE("text=The+artist+painted+the+portrait+of+a+woman", "text=The+cat&heads=1",
                                "text=The+artist+painted+the+portrait+of+a+woman&view=stacked");
    Screen screen({1280, 743}, link);
    const bool is_stacked = screen.state().view.view == ViewKind::stacked;
    const UiItem map = is_stacked ? UiItem{} : screen.at("map=1");
    ImVec2 place = {(map.min.x * 3 + map.max.x) / 4, (map.min.y + 3 * map.max.y) / 4};
    if (is_stacked) {
        for (float y = 200; y < 700 && ImGui::FindWindowByName("##Tooltip_00") == nullptr; y += 40) {
            for (float x = 280; x < 900 && ImGui::FindWindowByName("##Tooltip_00") == nullptr; x += 40) {
                place = {x, y};
                screen.point_at(place);
            }
        }
    }
    screen.point_at(place);
    screen.frame();
    const ImGuiWindow* tip = ImGui::FindWindowByName("##Tooltip_00");
    REQUIRE(tip != nullptr);
    REQUIRE(tip->Active);
    const int tokens = screen.evaluation().num_tokens();
    const float pitch = is_stacked ? 14 : (map.max.x - map.min.x) / static_cast<float>(tokens);
    // Wherever in its cell the pointer is, half of the cell beside it is within one width.
    const float free = std::min(pitch, 96.0F);
    const ScreenBox around = {{place.x - free, place.y - free}, {place.x + free, place.y + free}};
    CAPTURE(tip->Pos.x, tip->Pos.y, place.x, place.y, pitch);
    CHECK_FALSE(overlap({tip->Pos, {tip->Pos.x + tip->Size.x, tip->Pos.y + tip->Size.y}}, around));
}
