// The lines view on the whole screen: pointing, pinning, setting targets, selecting, by pointer, finger and keys.
#include <array>
#include <random>

#include "core/ground/check.h"
#include "playground/link/legal.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

int count_items(const Screen& screen, std::string_view begin) {
    int count = 0;
    for (const UiItem& item : screen.items()) count += item.name.starts_with(begin) ? 1 : 0;
    return count;
}

void click_with(Screen& screen, ImGuiKey modifier, std::string_view name) {
    ImGui::GetIO().AddKeyEvent(modifier, true);
    screen.click(name);
    ImGui::GetIO().AddKeyEvent(modifier, false);
    screen.settle();
}

std::vector<TargetCell> of_both_heads(int query, int key) {
    return {{.head = 0, .query = query, .key = key}, {.head = 1, .query = query, .key = key}};
}

bool has_focus(const Screen& screen, std::string_view name) {
    return ImGui::GetCurrentContext()->NavId == screen.at(name).id;
}

}  // namespace

TEST_CASE("queries stand on the left, keys on the right, each pair on one line", "[lines]") {
    const auto [width, height] = GENERATE(table<float, float>({{1440, 900}, {1280, 800}, {700, 800}, {360, 640}}));
    Screen screen({width, height}, "view=lines");
    for (int token = 0; token < 3; ++token) {
        const UiItem& query = screen.at(concat("query=", token));
        const UiItem& key = screen.at(concat("key=", token));
        CHECK(query.max.x + 60 < key.min.x);
        CHECK(query.min.y == key.min.y);
        CHECK_FALSE(query.is_clipped);
        CHECK_FALSE(key.is_clipped);
    }
    CHECK(screen.at("query=1").min.y >= screen.at("query=0").max.y);
}

TEST_CASE("pointing at a token writes the weights of its lines beside their other ends", "[lines]") {
    Screen screen({1280, 800}, "view=lines");
    CHECK(count_items(screen, "line=") == 0);
    screen.point_at("query=7");
    CHECK(count_items(screen, "line=") == 8);  // causal: keys 0 to 7
    CHECK(screen.has("line=7>0"));
    CHECK(screen.has("line=7>7"));
    CHECK_FALSE(screen.has("line=7>8"));
    CHECK(screen.hover().token == 7);
    screen.point_at("key=7");
    CHECK(count_items(screen, "line=") == 4);  // queries 7 to 10
    CHECK(screen.has("line=10>7"));
    screen.point_at(ImVec2(5, 5));
    CHECK(count_items(screen, "line=") == 0);
}

TEST_CASE("a teacher who hides the values hides those of the lines", "[lines]") {
    Screen screen({1280, 800}, "view=lines&hide=values");
    screen.point_at("query=7");
    CHECK(count_items(screen, "line=") == 0);
}

TEST_CASE("a click pins the row, a click on a key moves the pin along it, the same again lets go", "[lines]") {
    Screen screen({1280, 800}, "view=lines");
    screen.click("query=7");
    CHECK(screen.state().view.cell == Cell{0, 7, 7});
    screen.point_at(ImVec2(5, 5));
    CHECK(count_items(screen, "line=") == 8);
    screen.click("key=4");
    CHECK(screen.state().view.cell == Cell{0, 7, 4});
    screen.click("query=7");
    CHECK_FALSE(screen.state().view.cell);
}

TEST_CASE("a head is looked at alone, and all again", "[lines]") {
    Screen screen({1280, 800}, "view=lines&d_out=24&heads=12");
    screen.click("head=12");
    CHECK(screen.state().view.head == 11);
    screen.click("head=all");
    CHECK_FALSE(screen.state().view.head);
    screen.click("combine=mean");
    CHECK(screen.state().view.combine == Combine::mean);
    CHECK_FALSE(screen.has("head=12"));
    screen.click("combine=none");
    CHECK(screen.has("head=12"));
}

TEST_CASE("many heads are stepped through", "[lines]") {
    Screen screen({1280, 800}, "view=lines&d_out=96&heads=96");
    screen.click("head+");
    CHECK(screen.state().view.head == 0);
    screen.click("head+");
    CHECK(screen.state().view.head == 1);
    screen.click("head-");
    CHECK(screen.state().view.head == 0);
    screen.click("head=all");
    CHECK_FALSE(screen.state().view.head);
}

TEST_CASE("Shift and a click make a key the target of a query, and take it back", "[lines]") {
    Screen screen({1280, 800}, "view=lines");
    const Inputs before = screen.state().inputs;
    click_with(screen, ImGuiMod_Shift, "query=7");
    CHECK(screen.state().inputs == before);
    click_with(screen, ImGuiMod_Shift, "key=4");
    CHECK(screen.state().inputs.targets == of_both_heads(7, 4));
    CHECK(screen.state().inputs.goal == GoalKind::pattern);
    CHECK_FALSE(screen.state().view.cell);
    CHECK(screen.has("target=7>4"));
    click_with(screen, ImGuiMod_Shift, "query=7");
    click_with(screen, ImGuiMod_Shift, "key=4");
    CHECK(screen.state().inputs == before);
    CHECK_FALSE(screen.has("target=7>4"));
    // A key without a query is no target.
    click_with(screen, ImGuiMod_Shift, "key=4");
    CHECK(screen.state().inputs.targets.empty());
}

TEST_CASE("a target is of the head whose lines are shown", "[lines]") {
    Screen screen({1280, 800}, "view=lines&head=2");
    click_with(screen, ImGuiMod_Shift, "query=7");
    click_with(screen, ImGuiMod_Shift, "key=4");
    CHECK(screen.state().inputs.targets == std::vector<TargetCell>{{.head = 1, .query = 7, .key = 4}});
    screen.click("head=all");
    click_with(screen, ImGuiMod_Shift, "query=7");
    click_with(screen, ImGuiMod_Shift, "key=4");
    CHECK(screen.state().inputs.targets == of_both_heads(7, 4));  // the other one gets it, too
}

TEST_CASE("a key behind the mask is no target, and a note says why", "[lines][bad-input]") {
    Screen screen({1280, 800}, "view=lines");
    click_with(screen, ImGuiMod_Shift, "query=4");
    click_with(screen, ImGuiMod_Shift, "key=7");
    CHECK(screen.state().inputs.targets.empty());
    CHECK(screen.state().inputs.goal == GoalKind::none);
    REQUIRE(screen.notes().size() == 1);
    CHECK(screen.notes()[0] ==
          "target: \"portrait\" cannot look at \"woman\", which comes later: the mask hides it from every head");
}

TEST_CASE("the target tool needs no keyboard", "[lines]") {
    Screen screen({390, 844}, "view=lines");
    screen.surroundings.is_touch = true;
    screen.settle();
    const auto require_finger_height = [&](std::string_view name) {
        CAPTURE(name);
        CHECK(screen.at(name).max.y - screen.at(name).min.y >= 40);
    };
    for (const char* name : {"query=2", "key=1", "head=all", "head=1", "tool=target", "combine=mean"})
        require_finger_height(name);
    screen.click("tool=target");
    screen.click("query=2");
    screen.click("key=1");
    CHECK(screen.state().inputs.targets == of_both_heads(2, 1));
    for (const char* name : {"head=all", "head=1", "tool=target", "combine=mean", "target=2>1", "target=clear"})
        require_finger_height(name);
    screen.click("target=clear");
    CHECK(screen.state().inputs.targets.empty());
    CHECK(screen.state().inputs.goal == GoalKind::none);
}

TEST_CASE("the targets stand under the picture of other views too, and lead to their cells", "[lines]") {
    Screen screen({1280, 800}, "wish=7%3E4,1%3E10");
    REQUIRE(screen.has("target=7>4"));
    CHECK_FALSE(screen.at("target=7>4").is_clipped);
    CHECK(screen.at("target=7>4").min.y > screen.at("map=1").max.y);
    screen.click("target=7>4");
    CHECK(screen.state().view.cell == Cell{0, 7, 4});
    screen.click("target=clear");
    CHECK(screen.state().inputs.targets.empty());
}

TEST_CASE("one press teaches the heads the targets that have no goal yet", "[lines][learn]") {
    Screen screen({1280, 800}, "view=lines&target=7%3E4");
    CHECK_FALSE(screen.has("play"));
    screen.click("play=teach");
    CHECK(screen.state().inputs.targets.size() == 2);
    CHECK(screen.state().inputs.goal == GoalKind::pattern);
    CHECK(screen.has("play"));
    CHECK_FALSE(screen.has("play=teach"));
}

TEST_CASE("a low window with the bar that trains has no strip, which would lie half under it", "[lines][learn]") {
    const std::string link = "view=lines&goal=pattern&target=1:10>1";
    {
        Screen low({860, 504}, link);
        CHECK_FALSE(low.has("target=10>1"));
        CHECK(low.has("play"));
    }
    Screen high({1280, 800}, link);
    CHECK(high.has("target=10>1"));
    CHECK_FALSE(high.at("target=10>1").is_clipped);
}

TEST_CASE("the strip shows no number that the visitor is asked for", "[lines]") {
    Screen screen({1280, 800}, "target=7%3E4&select=3,7&stage=embeddings&check=weights");
    CHECK_FALSE(screen.has("target=7>4"));
    CHECK(count_items(screen, "mean=") == 0);
}

TEST_CASE("Ctrl and a click select queries, in both columns of tokens and above", "[lines]") {
    Screen screen({1280, 800}, "view=lines");
    click_with(screen, ImGuiMod_Ctrl, "query=7");
    click_with(screen, ImGuiMod_Ctrl, "token=2");
    CHECK(screen.state().view.select == std::set<int>{2, 7});
    CHECK_FALSE(screen.state().view.cell);
    CHECK(screen.has("mean=1,0"));
    CHECK(screen.has("mean=1,7"));
    CHECK_FALSE(screen.has("mean=1,8"));  // hidden from both
    click_with(screen, ImGuiMod_Ctrl, "query=7");
    CHECK(screen.state().view.select == std::set<int>{2});
    screen.click("tool=select");
    screen.click("query=5");
    CHECK(screen.state().view.select == std::set<int>{2, 5});
    screen.click("select=clear");
    CHECK(screen.state().view.select.empty());
}

TEST_CASE("a pinned cell goes before the selection in the inspector", "[lines]") {
    Screen screen({1280, 800}, "select=2,7");
    CHECK(screen.has("mean=2,0"));
    screen.state().view.cell = Cell{0, 3, 1};
    screen.settle();
    CHECK_FALSE(screen.has("mean=2,0"));
    CHECK(screen.has("bar=1"));
}

TEST_CASE("a finger that rests on a token selects it, a tap pins it", "[lines]") {
    const char* link = GENERATE("", "view=lines");
    Screen screen({390, 844}, link);
    screen.surroundings.is_touch = true;
    screen.settle();
    const std::string name = *link == 0 ? "token=2" : "query=2";
    if (*link == 0) screen.click("tokens");
    screen.point_at(name);
    screen.hold(true);
    for (int k = 0; k < 40; ++k) screen.frame();  // two thirds of a second
    CHECK(screen.state().view.select == std::set<int>{2});
    screen.hold(false);
    screen.settle();
    CHECK(screen.state().view.select == std::set<int>{2});
    CHECK_FALSE(screen.state().view.cell);
    screen.click(name);
    CHECK(screen.state().view.cell.has_value());
    CHECK(screen.state().view.select == std::set<int>{2});
}

TEST_CASE("the keyboard walks the columns, sees the weights and pins", "[lines]") {
    Screen screen({1280, 800}, "view=lines");
    for (int k = 0; k < 120 && !has_focus(screen, "query=0"); ++k) screen.press(ImGuiKey_Tab);
    REQUIRE(has_focus(screen, "query=0"));
    screen.press(ImGuiKey_DownArrow);
    screen.press(ImGuiKey_DownArrow);
    REQUIRE(has_focus(screen, "query=2"));
    CHECK(count_items(screen, "line=") == 3);
    screen.press(ImGuiKey_RightArrow);
    CHECK(has_focus(screen, "key=2"));
    CHECK(screen.has("line=10>2"));
    screen.press(ImGuiKey_LeftArrow);
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.cell == Cell{0, 2, 2});
}

TEST_CASE("two thousand tokens: only those in view, and both columns scroll together", "[lines]") {
    std::string link = "view=lines&heads=1&text=";
    for (int i = 0; i < 2048; ++i) link += concat("word", i, "+");
    Screen screen({1280, 800}, link);
    REQUIRE(screen.evaluation().num_tokens() == 2048);
    CHECK(count_items(screen, "query=") < 60);
    CHECK(count_items(screen, "query=") == count_items(screen, "key="));
    screen.point_at("query=3");
    screen.scroll_to("query=60", -3);
    CHECK(screen.at("query=60").min.y == screen.at("key=60").min.y);
    CHECK_FALSE(screen.has("query=0"));
    screen.point_at(ImVec2(5, 5));  // what is pointed at would go before the pin
    screen.state().view.cell = Cell{0, 2000, 1996};
    screen.settle();
    CHECK_FALSE(screen.at("query=2000").is_clipped);
    CHECK(screen.has("line=2000>1996"));
}

TEST_CASE("the lines are drawn for every stage, size and number of heads", "[lines][property]") {
    const auto [width, height] = GENERATE(table<float, float>({{1280, 800}, {700, 600}, {390, 844}, {360, 480}}));
    for (const char* link :
         {"", "text=one", "d_out=24&heads=12&dropout=0.3", "mask=none&combine=max&target=0%3E3&select=1",
          "tokens=chars&mask_at=after&stage=unmasked_weights", "target=1%3E0,2%3E0,3%3E0,4%3E0,5%3E0,6%3E0"}) {
        Screen screen({width, height}, concat("view=lines&", link));
        for (const TensorId stage : present_stages(screen.state().inputs)) {
            screen.state().view.stage = stage;
            screen.settle();
            CAPTURE(width, link, tensor_name(stage));
            CHECK(screen.has("query=0"));
            CHECK(screen.has("key=0"));
            CHECK(screen.has("tool=target"));
        }
    }
}

TEST_CASE("random clicks with Shift and Ctrl on tokens keep the state legal", "[lines][bad-input]") {
    const auto [width, height] = GENERATE(table<float, float>({{1280, 800}, {390, 844}}));
    std::mt19937 random(20240607U + static_cast<unsigned>(width));
    const auto below = [&](std::size_t count) { return random() % count; };
    Screen screen({width, height}, "view=lines&target=7%3E4&select=3");
    constexpr std::array kModifiers = {ImGuiMod_None, ImGuiMod_Shift, ImGuiMod_Ctrl};
    constexpr std::array kSentences = {"one", "two words", "now three words", "and a sentence of eight words it is"};
    for (int i = 0; i < 400; ++i) {
        const UiItem item = screen.items()[below(screen.items().size())];
        const bool is_of_view = item.name.find('=') != std::string::npos || item.name.starts_with("head");
        if (!is_of_view) continue;
        const ImGuiKey modifier = kModifiers[below(kModifiers.size())];
        if (modifier != ImGuiMod_None) ImGui::GetIO().AddKeyEvent(modifier, true);
        ImGui::GetIO().AddMousePosEvent((item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2);
        screen.frame();
        ImGui::GetIO().AddMouseButtonEvent(0, true);
        screen.frame();
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        // The sentence changes under the pointer, with pins, targets and tokens pointed at.
        if (below(12) == 0) screen.state().inputs.texts[0] = kSentences[below(kSentences.size())];
        screen.frame();
        screen.frame();
        if (modifier != ImGuiMod_None) ImGui::GetIO().AddKeyEvent(modifier, false);
        screen.state().view.view = ViewKind::lines;
        screen.state().view.check.clear();
        screen.state().view.lesson.clear();
        screen.frame();
        PlaygroundState legal = screen.state();
        CAPTURE(item.name);
        CHECK(clamp_to_legal(legal).empty());
        CHECK(legal == screen.state());
    }
    screen.settle();
}
