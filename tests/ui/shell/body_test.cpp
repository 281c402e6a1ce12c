// Columns, drawer, sheet, notes, the empty sentence: what stands where at which width.
#include "ui/frame/layout.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("the layout follows the size of the canvas", "[layout]") {
    CHECK(layout_of({980, 800}) == LayoutKind::wide);
    CHECK(layout_of({979, 800}) == LayoutKind::narrow);
    CHECK(layout_of({680, 800}) == LayoutKind::narrow);
    CHECK(layout_of({679, 800}) == LayoutKind::phone);
    CHECK(layout_of({640, 344}) == LayoutKind::narrow);  // a laptop at 200 %
    CHECK(layout_of({559, 344}) == LayoutKind::phone);
    CHECK(folds_head({360, 584}));
    CHECK(folds_head({1280, 559}));
    CHECK_FALSE(folds_head({1280, 560}));
}

TEST_CASE("at no width do the buttons above the picture lie on each other", "[layout]") {
    const std::string link = GENERATE("", "row_stat=sum", "check=scores&stage=scores", "view=softmax");
    Screen screen({320, 800}, link);
    for (float width = 320; width <= 1300; width += 20) {
        screen.resize({width, 800});
        CAPTURE(link, width);
        const float top = screen.at("share").min.y;
        float end = 0;
        for (const UiItem& item : screen.items()) {
            if (item.min.y != top) continue;
            CAPTURE(item.name);
            CHECK(item.min.x >= end);
            end = item.max.x;
        }
        if (const UiItem* last = screen.find("row_stat=largest")) CHECK(last->max.x <= end + 0.5F);
    }
}

TEST_CASE("the settings are a column, or a drawer behind a button", "[layout]") {
    Screen screen({1280, 800});
    CHECK(screen.has("mask=none"));
    CHECK_FALSE(screen.has("settings"));
    screen.resize({700, 800});
    CHECK_FALSE(screen.has("mask=none"));
    screen.click("settings");
    CHECK(screen.has("mask=none"));
    SECTION("Escape closes it") {
        screen.press(ImGuiKey_Escape);
    }
    SECTION("a click beside it closes it") {
        screen.click(ImVec2(20, 400));
    }
    SECTION("its button closes it") {
        screen.click("settings=close");
    }
    SECTION("more room closes it") {
        screen.resize({1280, 800});
        screen.resize({700, 800});
    }
    CHECK_FALSE(screen.has("mask=none"));
}

TEST_CASE("a setting works in the drawer", "[layout]") {
    Screen screen({700, 1200});
    screen.click("settings");
    screen.click("mask=none");
    CHECK(screen.state().inputs.mask == Mask::none);
    CHECK(screen.has("mask=none"));  // it stays open
}

TEST_CASE("the drawer can be worked with the keyboard alone", "[layout]") {
    Screen screen({700, 1200});
    for (int i = 0; i < 60 && !screen.has("mask=none"); ++i) {
        screen.press(ImGuiKey_Tab);
        if (ImGui::GetCurrentContext()->NavId == screen.at("settings").id) screen.press(ImGuiKey_Enter);
    }
    REQUIRE(screen.has("mask=none"));
    for (int i = 0; i < 60 && ImGui::GetCurrentContext()->NavId != screen.at("mask=none").id; ++i) {
        screen.press(ImGuiKey_Tab);
    }
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().inputs.mask == Mask::none);
    screen.press(ImGuiKey_Escape);
    CHECK_FALSE(screen.has("mask=none"));
}

TEST_CASE("a finger scrolls the settings and taps nothing on its way", "[layout][touch]") {
    Screen screen({390, 700});
    screen.surroundings.is_touch = true;
    screen.settle();
    screen.click("settings");
    const PlaygroundState before = screen.state();
    const float start = screen.at("mask=none").min.y;
    const ImVec2 finger = screen.middle("tokens=chars");
    screen.drag(finger, {finger.x, finger.y - 60});  // "chars" goes along and stays under the finger
    CHECK(screen.at("mask=none").min.y < start - 40);
    CHECK(screen.state() == before);
}

TEST_CASE("controls are large enough for a finger", "[layout][touch]") {
    Screen screen({390, 844}, "cell=1,7,4");
    screen.surroundings.is_touch = true;
    screen.settle();
    screen.click("inspector");
    for (const bool with_drawer : {false, true}) {
        if (with_drawer) screen.click("settings");
        for (const UiItem& item : screen.items()) {
            const bool is_picture = item.name.starts_with("map") || item.name.starts_with("head=");
            if (item.is_clipped || is_picture) continue;
            CAPTURE(item.name);
            CHECK(item.max.y - item.min.y >= 40);
            const bool is_word =
                item.name.starts_with("factor ") || item.name.starts_with("chain=");  // in a line of text
            CHECK((item.max.x - item.min.x >= 40 || is_word));
        }
    }
}

TEST_CASE("at 360 points nothing is cut off at the sides", "[layout]") {
    const bool is_touch = GENERATE(false, true);
    Screen screen({360, 740}, "cell=2,7,4&text=The+artist+painted&text=two&dropout=0.1&temperature=0.7");
    screen.surroundings.is_touch = is_touch;
    screen.settle();
    const auto check = [&] {
        for (const UiItem& item : screen.items()) {
            if (item.name.starts_with("stage=") || item.name.starts_with("x[")) continue;  // scroll sideways on purpose
            CAPTURE(item.name, is_touch);
            CHECK(item.min.x >= 0);
            CHECK(item.max.x <= 360);
        }
    };
    check();
    screen.click("settings");
    check();
    screen.press(ImGuiKey_Escape);
    screen.notes().push_back("heads set to 4: 16 channels cannot be split into 5 equal heads");
    screen.click("inspector");
    check();
    screen.state().inputs.texts = {""};
    screen.state().view.sentence = 0;
    screen.settle();
    check();
}

TEST_CASE("notes are shown until they are read", "[notes]") {
    Screen screen({1280, 800});
    CHECK_FALSE(screen.has("notes=read"));
    screen.notes() = {"heads set to 4: 16 channels cannot be split into 5 equal heads"};
    screen.settle();
    screen.click("notes=read");
    CHECK(screen.notes().empty());
    CHECK_FALSE(screen.has("notes=read"));
}

TEST_CASE("only a note on something that was not done is red", "[notes]") {
    const auto is_red = [] {
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            if (std::string_view(window->Name).find("/picture_") == std::string_view::npos) continue;
            for (const ImDrawVert& corner : window->DrawList->VtxBuffer) {
                if (corner.col == palette_of(false).warning) return true;
            }
        }
        return false;
    };
    {
        Screen kept({1280, 800}, "goal=pattern&target=1:10>1&steps=5");
        kept.click("keep");
        REQUIRE(kept.has("notes=read"));
        CHECK_FALSE(is_red());
    }
    Screen refused({1280, 800}, "view=edit&tensor=w_query");
    ImGui::SetClipboardText("no numbers");
    refused.click("w_query[1,1]");
    refused.press_with_ctrl(ImGuiKey_V);
    REQUIRE(refused.has("notes=read"));
    CHECK(is_red());
}

TEST_CASE("notes about the sentence go when they are read and come back when they change", "[notes]") {
    Screen screen({1280, 800}, "embed=typed&x=1,2&text=one+two+three");  // rows are missing
    REQUIRE_FALSE(screen.evaluation().notes.empty());
    screen.notes().clear();
    screen.settle();
    screen.click("notes=read");
    CHECK_FALSE(screen.has("notes=read"));
    screen.state().inputs.texts = {"one two three four"};
    screen.settle();
    CHECK(screen.has("notes=read"));
}

TEST_CASE("notes on a sentence wait until nobody types, and go at once when they no longer hold", "[notes]") {
    Screen screen({1280, 800}, "text=one+two+three&edit=queries[2,0]=1&view=edit");
    const auto type_anew = [&](const char* sentence) {
        screen.click("text");
        screen.press_with_ctrl(ImGuiKey_A);
        screen.type(sentence);
    };
    CHECK_FALSE(screen.has("notes=read"));
    type_anew("one");
    REQUIRE_FALSE(screen.evaluation().notes.empty());
    CHECK_FALSE(screen.has("notes=read"));
    screen.rest();
    CHECK(screen.has("notes=read"));
    type_anew("one two");
    CHECK(screen.has("notes=read"));  // as before, it still holds
    type_anew("one two four");
    CHECK_FALSE(screen.has("notes=read"));
}

TEST_CASE("an empty sentence is met with examples", "[empty]") {
    const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(700, 600), ImVec2(360, 640));
    Screen screen(size, "text=");
    REQUIRE(screen.evaluation().is_empty());
    CHECK_FALSE(screen.has("stage=weights"));
    screen.click("example=1");
    CHECK(screen.state().inputs.texts[0] == "Your journey starts with one step");
    CHECK(screen.has("stage=weights"));
}

TEST_CASE("parts that a link hides are not there", "[layout]") {
    Screen screen({1280, 800}, "hide=sentence,tokens,stages,settings,inspector,notes&cell=1,7,4");
    screen.notes() = {"a note"};
    screen.settle();
    for (const char* name : {"text", "token=0", "stage=weights", "mask=none", "chain=output", "notes=read"}) {
        CAPTURE(name);
        CHECK_FALSE(screen.has(name));
    }
    screen.resize({390, 844});
    CHECK_FALSE(screen.has("inspector"));
    CHECK_FALSE(screen.has("settings"));
}

TEST_CASE("the tabs change the view", "[layout]") {
    Screen screen({1280, 800});
    screen.click("view=lines");
    CHECK(screen.state().view.view == ViewKind::lines);
    screen.click("view=matrix");
    CHECK(screen.state().view.view == ViewKind::matrix);
}
