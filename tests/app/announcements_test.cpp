// All that a screen reader hears in one short visit by keyboard to each view. tests/golden/announcements.txt has the
// visits and their words: a link, a line "> key" for each key, and under it what is told, an announcement a line.
#include <algorithm>
#include <array>
#include <catch_amalgamated.hpp>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/visit.h"
#include "core/ground/check.h"
#include "share/golden_file.h"

using namespace attn;
using namespace attn::testing;

namespace {

struct NamedKey {
    std::string_view name;
    ImGuiKey key;
    ImGuiKey modifier = ImGuiKey_None;
};
constexpr std::array kKeys = std::to_array<NamedKey>({{"Down", ImGuiKey_DownArrow},
                                                      {"Up", ImGuiKey_UpArrow},
                                                      {"Left", ImGuiKey_LeftArrow},
                                                      {"Right", ImGuiKey_RightArrow},
                                                      {"Enter", ImGuiKey_Enter},
                                                      {"Space", ImGuiKey_Space},
                                                      {"Escape", ImGuiKey_Escape},
                                                      {"Shift+Enter", ImGuiKey_Enter, ImGuiMod_Shift},
                                                      {"Ctrl+Enter", ImGuiKey_Enter, ImGuiMod_Ctrl},
                                                      {"Ctrl+A", ImGuiKey_A, ImGuiMod_Ctrl},
                                                      {"Ctrl+C", ImGuiKey_C, ImGuiMod_Ctrl},
                                                      {"Ctrl+Z", ImGuiKey_Z, ImGuiMod_Ctrl}});

// Listens to the page's canvas: the sentence stands beside it.
class Ear {
public:
    explicit Ear(const std::string& link) {
        visit_.next.link = link;
        visit_.next.got_keyboard = true;
        listen();
    }

    // "Down", "type 0.70", or "go heads+": Tab after Tab to the item of this name, whatever is told on the way.
    void press(const std::string& key) {
        ImGuiIO& io = ImGui::GetIO();
        if (key.starts_with("type ")) {
            io.AddInputCharactersUTF8(key.substr(5).c_str());
            return listen();
        }
        if (key.starts_with("go ")) return go(key.substr(3));
        const auto named = std::ranges::find(kKeys, std::string_view(key), &NamedKey::name);
        INFO("the key " << key);
        REQUIRE(named != kKeys.end());
        press(named->key, named->modifier);
    }

    // What was told since the last call.
    std::vector<std::string> take() { return std::exchange(told_, {}); }

private:
    void press(ImGuiKey key, ImGuiKey modifier) {
        ImGuiIO& io = ImGui::GetIO();
        if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, true);
        io.AddKeyEvent(key, true);
        frame();
        io.AddKeyEvent(key, false);
        if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, false);
        listen();
    }

    void go(const std::string& item) {
        for (int n = 0; n < 200 && visit_.program().ui.focused_item() != item; ++n) {
            told_.clear();
            press(ImGuiKey_Tab, ImGuiKey_None);
        }
        if (visit_.program().ui.focused_item() != item) told_ = {concat("no Tab leads to ", item)};
    }

    FrameOutput frame() {
        visit_.next.page_shows_sentence = true;
        FrameOutput output = visit_.frame();
        if (!output.announcement.empty()) told_.push_back(output.announcement);
        return output;
    }

    // Until all is at rest.
    void listen() {
        for (int n = 0; n < 2000; ++n) {
            const FrameOutput output = frame();
            for (int piece = 0; piece < 1000 && output.has_work && work(visit_.program()).has_more; ++piece) continue;
            if (output.wants_another || output.has_work) continue;
            if (!output.wake_after) return;
            visit_.rest(*output.wake_after + 0.01);
        }
        FAIL("it does not come to rest");
    }

    Visit visit_;
    std::vector<std::string> told_;
};

// What the file says would be told is replaced by what is.
std::string heard(const std::string& golden) {
    std::istringstream lines(golden);
    std::string written;
    std::optional<Ear> ear;
    const auto write = [&] {
        for (const std::string& words : ear->take()) written += concat("  ", words, "\n");
    };
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("  ")) continue;
        written += concat(line, "\n");
        if (line.starts_with("#") || line.empty()) continue;
        if (line.starts_with("> ")) {
            REQUIRE(ear);
            INFO(line);
            ear->press(line.substr(2));
        } else {
            ear.reset();  // ImGui has one context at a time
            ear.emplace(line);
        }
        write();
    }
    return written;
}

}  // namespace

TEST_CASE("all that is announced in a visit to each view is what the list says", "[app][golden]") {
    const std::string golden = test::golden_file("announcements.txt");
    const std::string now = heard(golden);
    if (now != golden) std::cout << "The list as it would be now:\n" << now << "end of the list\n";
    std::istringstream wanted(golden), got(now);
    for (std::string one, other; std::getline(wanted, one) && std::getline(got, other);) {
        CHECK(other == one);
        if (other != one) break;
    }
    CHECK(now.size() == golden.size());
    CHECK(now.find("no Tab leads to") == std::string::npos);
}
