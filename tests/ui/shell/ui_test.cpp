// The whole canvas: it comes to rest, its items are told apart, and nobody can break it by pressing at random.
#include "ui/shell/ui.h"

#include <algorithm>
#include <map>
#include <random>

#include "playground/link/legal.h"
#include "samples.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("a canvas at rest wants no frames, and a move of the pointer only a few", "[ui]") {
    Screen screen({1280, 800}, "cell=2,7,4");
    const int before = screen.num_frames;
    screen.settle();
    CHECK(screen.num_frames - before == 1);  // the one that was asked for
    screen.point_at(ImVec2(640, 500));
    CHECK(screen.num_frames - before < 60);
    const int after = screen.num_frames;
    screen.settle();
    CHECK(screen.num_frames - after == 1);
}

TEST_CASE("every font is drawn for the device's pixels", "[ui]") {
    Screen screen({1280, 800}, "cell=2,7,4");
    ImGui::GetIO().DisplayFramebufferScale = {2, 2};
    screen.frame();
    screen.frame();
    for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) CHECK(font->CurrentRasterizerDensity == 2);
}

TEST_CASE("a finger that was lifted points at nothing", "[ui][touch]") {
    Screen screen({390, 844}, "cell=1,7,4");
    screen.surroundings.is_touch = true;
    screen.settle();
    screen.click("tokens");
    screen.click("token=3");
    REQUIRE(screen.state().view.cell.has_value());
    CHECK(screen.hover().token == std::nullopt);
    screen.surroundings.is_touch = false;
    screen.settle();
    screen.point_at("token=3");
    CHECK(screen.hover().token == 3);
}

TEST_CASE("no two items of a frame have one id or one name", "[ui][property]") {
    const auto [width, height] = GENERATE(table<float, float>({{1280, 1600}, {700, 900}, {360, 740}}));
    Screen screen({width, height}, "cell=2,7,4&dropout=0.2&text=a+b+c+d+e+f+g+h+i&text=two&bias=1");
    const auto check = [&] {
        std::map<ImGuiID, std::string> names;
        std::set<std::string> seen;
        for (const UiItem& item : screen.items()) {
            CAPTURE(item.name);
            if (item.name.starts_with("map=") || item.name.starts_with("seen="))
                continue;  // for the eye; the picture is one item
            CHECK(item.id != 0);
            CHECK(names.emplace(item.id, item.name).second);
            CHECK(seen.insert(item.name).second);
        }
    };
    for (const TensorId stage : present_stages(screen.state().inputs)) {
        screen.state().view.stage = stage;
        screen.settle();
        check();
    }
    if (screen.has("settings")) screen.click("settings");
    check();
}

TEST_CASE("every item can be reached with the keyboard alone", "[ui][property]") {
    Screen screen({1280, 1600}, "cell=2,7,4");
    std::set<ImGuiID> reached;
    for (int i = 0; i < 400; ++i) {
        screen.press(ImGuiKey_Tab);
        reached.insert(ImGui::GetCurrentContext()->NavId);
    }
    for (const UiItem& item : screen.items()) {
        const bool is_picture =
            item.name.starts_with("map") || item.name.starts_with("seen=");  // one item for the keyboard, drawn as many
        if (is_picture) continue;
        // At their ends there is nothing to press, nor anything to undo yet.
        constexpr std::array<std::string_view, 7> kOff = {"sentences-", "kv_heads+", "latent-", "mask_window-",
                                                          "dropout-",   "undo",      "redo"};
        const bool is_off = std::find(kOff.begin(), kOff.end(), item.name) != kOff.end();
        CAPTURE(item.name);
        CHECK((is_off || reached.contains(item.id)));
    }
}

// A child at the keyboard, with a mouse: whatever it does, the state is legal afterwards and nothing stops.
TEST_CASE("random clicks, drags and keys never break anything", "[ui][bad-input]") {
    const auto [width, height] = GENERATE(table<float, float>({{1280, 800}, {820, 700}, {390, 844}, {360, 480}}));
    CAPTURE(width, height);
    std::mt19937 random(20240607U + static_cast<unsigned>(width));
    const auto below = [&](std::size_t count) { return random() % count; };
    Screen screen({width, height});
    constexpr std::array kKeys = {ImGuiKey_Tab,       ImGuiKey_Enter,     ImGuiKey_Escape,     ImGuiKey_LeftArrow,
                                  ImGuiKey_DownArrow, ImGuiKey_UpArrow,   ImGuiKey_RightArrow, ImGuiKey_Space,
                                  ImGuiKey_PageDown,  ImGuiKey_Backspace, ImGuiKey_Home};
    constexpr std::array kTexts = {"7", "-1", "nan", "1e9", "0.5", "word ", "é", "🙂"};
    const int num_actions = attn::test::samples(2000);  // visit_fuzz tries others in each run
    for (int i = 0; i < num_actions; ++i) {
        ImGuiIO& io = ImGui::GetIO();
        switch (below(8)) {
            case 0:
                io.AddKeyEvent(kKeys[below(kKeys.size())], true);
                screen.frame();
                for (const ImGuiKey key : kKeys) io.AddKeyEvent(key, false);
                break;
            case 1:
                io.AddInputCharactersUTF8(kTexts[below(kTexts.size())]);
                break;
            case 2:
                io.AddMouseWheelEvent(0, static_cast<float>(below(5)) - 2);
                break;
            case 3:
                io.AddMousePosEvent(static_cast<float>(below(1300)), static_cast<float>(below(900)));
                break;
            case 4:
                screen.surroundings.is_touch = below(2) == 0;
                break;
            default: {
                if (screen.items().empty()) break;
                const UiItem item = screen.items()[below(screen.items().size())];
                io.AddMousePosEvent((item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2);
                screen.frame();
                io.AddMouseButtonEvent(0, true);
                screen.frame();
                if (below(4) == 0) io.AddMousePosEvent(item.min.x + static_cast<float>(below(60)), item.min.y - 30);
                io.AddMouseButtonEvent(0, false);
                break;
            }
        }
        screen.frame();
        screen.frame();
        // The room for what visitors can build up by clicking is not the matter here. What was painted, pinned or
        // enlarged on a head that this takes away becomes legal here: the notes below are about the clicks alone.
        if (screen.state().inputs.d_in > 64 || screen.state().inputs.d_out > 64) {
            screen.state().inputs.d_in = std::min(screen.state().inputs.d_in, 64);
            if (screen.state().inputs.d_out > 64) {
                screen.state().inputs.d_out = 64;
                screen.state().inputs.num_heads = 1;  // as many heads as before may not divide it
            }
            clamp_to_legal(screen.state());
        }
        PlaygroundState legal = screen.state();
        const Notes notes = clamp_to_legal(legal);
        CAPTURE(notes);
        CHECK(notes.empty());
        screen.frame();
        legal = screen.state();
        clamp_to_legal(legal);
        CHECK(legal == screen.state());
    }
    screen.settle();
}
