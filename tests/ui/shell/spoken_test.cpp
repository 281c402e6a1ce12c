// No internal name is spoken: every item that the keyboard can reach is called what the screen calls it.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include "core/attention/stages.h"
#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/state/view_table.h"
#include "samples.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

// Names with an underscore that stand on the screen: learned matrices, in formulas W_q, the sizes in shapes, and what
// the files of first-words call their tensors, as GPT-2's do.
bool stands_on_screen(std::string_view word) {
    if (word.starts_with("W_") && word.size() == 3) return true;
    if (word == "d_in" || word == "d_out" || word == "num_heads" || word == "head_dim") return true;
    for (const std::string_view part : {"c_attn", "c_proj", "c_fc", "ln_1", "ln_2", "ln_f"})
        if (word == part) return true;
    for (int id = 0; id <= static_cast<int>(TensorId::sink_logits); ++id) {
        const auto tensor = static_cast<TensorId>(id);
        if (!is_stage(tensor) && word == tensor_name(tensor)) return true;
    }
    return false;
}

// The first word with an underscore that no visitor has seen; empty if there is none.
std::string internal_word(const std::string& words) {
    std::string word;
    for (const char letter : words + " ") {
        const bool is_of_word = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
        if (is_of_word) word += letter;
        if (is_of_word) continue;
        if (word.find('_') != std::string::npos && !stands_on_screen(word)) return word;
        word.clear();
    }
    return {};
}

// The name of an item as it would be spoken.
std::string as_words(std::string name) {
    std::replace(name.begin(), name.end(), '=', ' ');
    return name;
}

// What counts as one kind of item: "bar=0" and "bar=1" are.
std::string kind_of(std::string_view name) {
    std::string kind;
    for (const char letter : name) {
        if (std::isdigit(static_cast<unsigned char>(letter)) == 0) kind += letter;
    }
    return kind;
}

// Gives the keyboard's focus to each item in turn. `seen` leaves out kinds that were looked at.
void check_items(Screen& screen, std::set<std::string>& seen) {
    const std::vector<UiItem> items = screen.items();
    for (const UiItem& item : items) {
        if (item.id == 0 || !seen.insert(kind_of(item.name)).second) continue;
        ImGui::GetCurrentContext()->NavId = item.id;
        ImGui::SetNavCursorVisible(true);
        screen.frame();
        if (screen.ui().focused_item() != item.name) {  // text, or an item that the keyboard passes over
            seen.erase(kind_of(item.name));
            continue;
        }
        const std::string& words = screen.ui().focus_words();
        CAPTURE(item.name, words);
        CHECK_FALSE(words.empty());
        // A plain word, as of a button "Share", may be its name, too.
        const bool is_plain = item.name.find_first_of("=_ +-") == std::string::npos;
        const bool is_id = words == item.name || words == as_words(item.name);
        CHECK((is_plain || !is_id));
        CHECK(internal_word(words).empty());
        CHECK(words.find(": .") == std::string::npos);
        CHECK_FALSE(words.starts_with(": "));
        CHECK_FALSE(words.starts_with(", "));
        CHECK_FALSE(words.ends_with(": "));
    }
}

}  // namespace

TEST_CASE("in every view each item is called what the screen calls it", "[focus][property]") {
    std::set<std::string> seen;
    for (const char* more : {"", "&cell=2,7,4&select=2,5&row_stat=sum&combine=mean", "&heads=16&d_out=32&cell=1,3,1",
                             "&embed=typed&pos=rope&kv_heads=1&dropout=.5&out=1&bias=1",
                             "&goal=pattern&target=1:10>1&steps=3&optimizer=adam", "&stage=context&cell=1,3,1",
                             "&check=all", "&hide=weights[1,7,4]&cell=1,7,4", "&edit=w_query[0,0]=1&heads=3&d_out=4",
                             "&text=one&text=two+words", "&model=first-words&layer=2", "&compare=seed%3D5",
                             "&window=1,4,1,4", "&latent=3&sink_logits=1&mask_window=3"}) {
        for (const ViewInfo& view : kViews) {
            CAPTURE(view.name, more);
            Screen screen({1400, 1600}, concat("view=", view.name, more));
            check_items(screen, seen);
        }
    }
    CHECK(seen.size() > 150);
}

TEST_CASE("on small canvases, too", "[focus][property]") {
    std::set<std::string> seen;
    for (const ImVec2 size : {ImVec2(390, 844), ImVec2(800, 400), ImVec2(700, 900)}) {
        for (const char* link : {"", "cell=2,7,4", "view=edit", "lesson=causal&step=3", "view=compare&compare=seed%3D5",
                                 "check=weights&text=The+cat+sat", "goal=pattern&target=1:10>1&steps=3"}) {
            CAPTURE(size.x, link);
            Screen screen(size, link);
            check_items(screen, seen);
        }
    }
}

TEST_CASE("in every step of every lesson, too", "[focus][lessons][property]") {
    std::size_t num_lessons = 0;
    std::set<std::string> seen;
    for (const Lesson& lesson : lessons()) {
        const auto every = static_cast<std::size_t>(attn::test::sample_step(3));  // others of each next lesson
        for (std::size_t step = num_lessons++ % every; step < lesson.steps.size(); step += every) {
            CAPTURE(lesson.name, step + 1);
            Screen screen({1400, 1000}, concat("lesson=", lesson.name, "&step=", step + 1));
            check_items(screen, seen);
        }
    }
}

TEST_CASE("and in what opens", "[focus][property]") {
    std::set<std::string> seen;
    for (const char* opener : {"share", "lessons", "about", "performance", "views", "x", "paint presets"}) {
        CAPTURE(opener);
        Screen screen({1000, 1200}, "embed=typed&goal=pattern");
        screen.surroundings.page_address = "https://example.org/";
        screen.surroundings.can_share_link = true;
        screen.surroundings.recent = {"a.attention"};
        screen.settle();
        if (!screen.has(opener)) continue;
        screen.click(opener);
        check_items(screen, seen);
    }
    Screen screen({390, 844});
    screen.click("settings");
    check_items(screen, seen);
    CHECK(seen.size() > 60);
}

TEST_CASE("the buttons of the share panel say what they save", "[focus][share]") {
    Screen screen;
    screen.click("share");
    const auto words_of = [&](std::string_view name) {
        ImGui::GetCurrentContext()->NavId = screen.at(name).id;
        ImGui::SetNavCursorVisible(true);
        screen.frame();
        return screen.ui().focus_words();
    };
    CHECK(words_of("save=csv") == "Save CSV table");
    CHECK(words_of("copy=csv") == "Copy CSV table");
    CHECK(words_of("save=pytorch") == "Save PyTorch script");
    CHECK(words_of("figure_legend").starts_with("legend: o"));
    CHECK(words_of("figure_scale=2").starts_with("size of a PNG, 2×"));
    CHECK(words_of("share=close") == "Close “Share”");
}

TEST_CASE("the keyboard's focus goes nowhere out of sight", "[focus][property]") {
    for (const ImVec2 size :
         {ImVec2(500, 700), ImVec2(320, 480), ImVec2(320, 256), ImVec2(390, 844), ImVec2(1280, 800)}) {
        for (const char* link : {"", "cell=2,7,4", "lesson=causal&step=3", "view=lines&cell=2,7,4", "view=edit"}) {
            Screen screen(size, link);
            screen.surroundings.page_shows_sentence = true;
            screen.surroundings.got_keyboard = true;
            screen.frame();
            screen.surroundings.got_keyboard = false;
            screen.settle();
            for (int n = 0; n < 40; ++n) {
                screen.press(n % 8 == 7 ? ImGuiKey_RightArrow : ImGuiKey_DownArrow);
                const std::string& name = screen.ui().focused_item();
                CAPTURE(size.x, size.y, link, n, name);
                REQUIRE_FALSE(name.empty());
                const ImGuiContext& context = *ImGui::GetCurrentContext();
                const ImGuiWindow& window = *context.NavWindow;
                const ImRect item = ImGui::WindowRectRelToAbs(context.NavWindow, window.NavRectRel[context.NavLayer]);
                ImRect seen = item;
                seen.ClipWith(window.OuterRectClipped);
                seen.ClipWith(ImRect({0, 0}, size));
                CHECK(seen.GetHeight() >= std::min(10.0F, item.GetHeight() / 2));
                CHECK(seen.GetWidth() >= std::min(10.0F, item.GetWidth() / 2));
            }
        }
    }
}
