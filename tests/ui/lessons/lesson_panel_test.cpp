// Lessons on the screen: the menu, the card with its way through the steps, and the rings around what a step speaks of.
#include "playground/lessons/lessons.h"
#include "playground/link/random_rows_offer.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/link/link_text.h"
#include "ui/lessons/lesson_lights.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

bool has_target(const Screen& screen, std::string_view target) {
    return std::any_of(screen.items().begin(), screen.items().end(),
                       [&](const UiItem& item) { return is_item_of(item.name, target); });
}

std::string link_of(std::string_view lesson, int step) {
    return concat("lesson=", lesson, "&step=", step);
}

bool draws_lights() {
    return ImGui::GetForegroundDrawList()->VtxBuffer.Size > 0;
}

}  // namespace

TEST_CASE("every step of every lesson finds what it points at", "[lessons][property]") {
    for (const Lesson& lesson : lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            CAPTURE(lesson.name, i + 1);
            Screen screen({1280, 800}, link_of(lesson.name, static_cast<int>(i) + 1));
            CHECK(screen.notes().empty());
            for (const std::string_view target : lesson.steps[i].points_at) {
                CAPTURE(target);
                // Views that found no tab stand in the list under "views".
                CHECK((has_target(screen, target) || (target.starts_with("view=") && screen.has("views"))));
            }
            CHECK(screen.has("step+"));
            CHECK_FALSE(screen.at("step+").is_clipped);
            CHECK(draws_lights());
        }
    }
}

TEST_CASE("what a step points at scrolls into sight", "[lessons]") {
    Screen screen({1280, 600}, link_of("trainable", 10));
    CHECK(screen.at("init=torch.linear").is_clipped == false);
    CHECK_FALSE(screen.at("stage=context").is_clipped);
}

TEST_CASE("a wall of struck-out numbers is folded until it is asked for", "[lessons]") {
    Screen screen({640, 1000}, link_of("split", 5));
    const auto top = [&] { return screen.at("lesson=leave").min.y; };  // of the card
    const float folded = top();
    screen.click("printed=fold");
    CHECK(top() < folded - 40);
    screen.click("printed=fold");
    CHECK(top() == folded);
    screen.click("printed=fold");
    screen.click("step+");
    screen.click("step+");
    CHECK(screen.has("printed=fold"));
    const float next = top();
    screen.click("printed=fold");
    CHECK(top() < next - 40);  // the next wall was folded again
    screen.click("printed=fold");
    screen.click("step+");
    CHECK(screen.has("printed=fold"));  // two tables of 3 x 3, none of it follows
    screen.click("step+");
    CHECK_FALSE(screen.has("printed=fold"));  // few are struck out
}

TEST_CASE("printed numbers that all follow stand there once", "[lessons]") {
    Screen screen({640, 1200}, link_of("causal", 3));  // six rows; the card stands below the picture
    screen.click("printed=fold");
    // Once, a row takes 19 points; twice it would take 35, and the card 96 more.
    CHECK(1200 - screen.at("lesson=fold").min.y < 360);
}

TEST_CASE("a step that invites to type another sentence says whose numbers its words have", "[lessons]") {
    Screen screen({1280, 800}, "lesson=no-weights&step=6");
    screen.state().inputs.texts = {"My dog likes red apples a lot"};
    screen.rest();
    screen.rest();  // the notes wait for the typing to pause
    const ImU32 red = palette_of(false).warning;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        for (const ImDrawVert& corner : window->DrawList->VtxBuffer) CHECK((corner.col != red || !window->Active));
    }
    CHECK(std::ranges::count(screen.notes(), kTypedForOldWords) == 1);
    screen.click("notes=random");
    CHECK(screen.state().inputs.embed == EmbeddingKind::hash);
    CHECK_FALSE(screen.has("notes=random"));
    const Evaluation& evaluation = screen.evaluation();
    CHECK(evaluation.notes.empty());
    screen.click("printed=fold");  // still to be seen
    screen.click("step=again");
    CHECK_FALSE(screen.has("printed=fold"));
}

TEST_CASE("Next, Back and the dots lead through the steps", "[lessons]") {
    Screen screen({1280, 800}, link_of("no-weights", 1));
    const View& view = screen.state().view;
    screen.click("step+");
    CHECK(view.step == 1);
    CHECK(view.view == ViewKind::vectors);
    screen.click("step-");
    CHECK(view.step == 0);
    CHECK(view.view == ViewKind::matrix);
    CHECK(view.stage == TensorId::embeddings);
    screen.click("step-");  // there is nothing before
    CHECK(view.step == 0);
    screen.click("step=7");
    CHECK(view.step == 6);
    screen.click("step+");  // on to the next lesson
    CHECK(view.lesson == "why-softmax");
    CHECK(view.step == 0);
}

TEST_CASE("the last lesson ends", "[lessons]") {
    const Lesson& last = lessons().back();
    Screen screen({1280, 800}, link_of(last.name, static_cast<int>(last.steps.size())));
    screen.click("step+");
    CHECK(screen.state().view.lesson == last.name);
    CHECK(screen.state().view.step == static_cast<int>(last.steps.size()) - 1);
}

TEST_CASE("a step can be played with, and started over", "[lessons]") {
    Screen screen({1280, 800}, link_of("no-weights", 3));
    const PlaygroundState fresh = screen.state();
    screen.click("step=again");  // nothing to start over
    CHECK(screen.state() == fresh);
    screen.click("mask=causal");
    CHECK(screen.state().inputs.mask == Mask::causal);
    CHECK(screen.state().view.step == 2);
    screen.click("step=again");
    CHECK(screen.state() == fresh);
}

TEST_CASE("leaving keeps the numbers, and the menu resumes where the visitor was", "[lessons]") {
    Screen screen({1280, 800}, link_of("causal", 3));
    const Inputs inputs = screen.state().inputs;
    screen.click("lesson=leave");
    CHECK(screen.state().view.lesson.empty());
    CHECK(screen.state().inputs == inputs);
    CHECK_FALSE(screen.has("step+"));
    CHECK_FALSE(draws_lights());

    screen.click("lessons");
    for (const Lesson& lesson : lessons()) CHECK(screen.has(concat("lesson=", lesson.name)));
    screen.click("lesson=causal");
    CHECK(screen.state().view.lesson == "causal");
    CHECK(screen.state().view.step == 2);
    CHECK_FALSE(screen.has("lesson=dropout"));  // the list is closed
    screen.click("lessons");
    screen.click("lesson=dropout");
    CHECK(screen.state().view.lesson == "dropout");
    CHECK(screen.state().view.step == 0);
}

TEST_CASE("the menu and the card can be worked with the keyboard alone", "[lessons]") {
    Screen screen;
    const auto go_to = [&](std::string_view name) {
        for (int i = 0; i < 120 && ImGui::GetCurrentContext()->NavId != screen.at(name).id; ++i) {
            screen.press(ImGuiKey_Tab);
        }
        REQUIRE(ImGui::GetCurrentContext()->NavId == screen.at(name).id);
    };
    go_to("lessons");
    screen.press(ImGuiKey_Enter);
    REQUIRE(screen.has("lesson=trainable"));
    go_to("lesson=trainable");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.lesson == "trainable");
    go_to("step+");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.step == 1);
}

TEST_CASE("the rings keep away from what lies over them", "[lessons]") {
    Screen screen({1280, 800}, link_of("causal", 3));
    CHECK(draws_lights());
    screen.click("lessons");
    CHECK_FALSE(draws_lights());
    screen.press(ImGuiKey_Escape);
    CHECK(draws_lights());
}

TEST_CASE("a page that hides the lessons shows neither button nor card", "[lessons]") {
    Screen screen({1280, 800}, link_of("causal", 3) + "&hide=lessons");
    CHECK_FALSE(screen.has("lessons"));
    CHECK_FALSE(screen.has("step+"));
    CHECK_FALSE(draws_lights());
    CHECK(screen.state().view.lesson == "causal");
}

TEST_CASE("on a phone the card leaves room for the picture and folds to a line", "[lessons]") {
    for (const bool is_touch : {false, true}) {
        for (const Lesson& lesson : lessons()) {
            CAPTURE(is_touch, lesson.name);
            Screen screen({390, 844}, link_of(lesson.name, 1));
            screen.surroundings.is_touch = is_touch;
            screen.settle();
            CHECK_FALSE(screen.at("step+").is_clipped);
            CHECK_FALSE(screen.at("lesson=leave").is_clipped);
            CHECK_FALSE(screen.at(concat("step=", lesson.steps.size())).is_clipped);
            const float top = screen.at("lesson=fold").min.y;
            screen.click("lesson=fold");
            CHECK_FALSE(screen.has("step+"));
            CHECK(screen.at("lesson=fold").min.y > top + 60);
            screen.click("lesson=fold");
            CHECK(screen.at("lesson=fold").min.y == top);
        }
    }
}

TEST_CASE("names of items are found by the words of a step", "[lessons]") {
    CHECK(is_item_of("mask=causal", "mask"));
    CHECK(is_item_of("mask=causal", "mask=causal"));
    CHECK_FALSE(is_item_of("mask=none", "mask=causal"));
    CHECK_FALSE(is_item_of("mask_at=raw", "mask"));
    CHECK(is_item_of("heads+", "heads"));
    CHECK_FALSE(is_item_of("token=10", "token=1"));
    CHECK_FALSE(is_item_of("dropout_seed", "dropout"));
}

TEST_CASE("a ring crosses neither the words of a box beside it nor the shape under queries, keys and values",
          "[lessons][property]") {
    const float width = GENERATE(360.0F, 980.0F, 1920.0F);
    const auto is_stage = [](std::string_view target) { return target.starts_with("stage="); };
    for (const Lesson& lesson : lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const auto& targets = lesson.steps[i].points_at;
            const auto shares_box = [](std::string_view target) {
                return target == "stage=queries" || target == "stage=keys" || target == "stage=values";
            };
            if (std::none_of(targets.begin(), targets.end(), shares_box)) continue;
            Screen screen({width, 740}, link_of(lesson.name, static_cast<int>(i) + 1));
            for (const ScreenBox& ring : rings_around(screen.items(), targets)) {
                const float reach = kRingWidth / 2;
                for (const UiItem& item : screen.items()) {
                    if (!is_stage(item.name)) continue;
                    CAPTURE(width, lesson.name, i + 1, item.name, ring.min.x, ring.max.x, ring.max.y);
                    if (ring.min.y >= item.max.y || ring.max.y <= item.min.y) continue;
                    constexpr float kIndent = 5.01F;  // from a label to the end of its box
                    // Each upright line of the ring runs beside the words of the box, not through them.
                    for (const float x : {ring.min.x, ring.max.x}) {
                        CHECK((x + reach <= item.min.x + kIndent || x - reach >= item.max.x - kIndent));
                    }
                    // Where the ring takes in less than all boxes that share a shape, it ends above it.
                    const bool is_cut = item.own_bottom > 0 && ring.min.x < item.max.x && ring.max.x > item.min.x &&
                                        ring.max.x - ring.min.x < 2 * (item.max.x - item.min.x);
                    if (is_cut) CHECK(ring.max.y + reach <= item.own_bottom + 3);
                }
            }
        }
    }
}

TEST_CASE("on a phone the item with the ring opens what the step points at", "[lessons]") {
    for (const std::string_view target : {"sentence+", "sentence-", "token=1", "heads"}) {
        CAPTURE(target);
        Screen screen({360, 640}, link_of("batch", 1));
        CHECK_FALSE(has_target(screen, target));
        screen.click(opener_of(target));
        CHECK(has_target(screen, target));
    }
}

TEST_CASE("what is scrolled away moves no ring", "[lessons]") {
    const std::vector<UiItem> items = {
        {.name = "tokens", .id = 0, .min = {16, 59}, .max = {85, 89}},
        {.name = "stage=queries", .id = 0, .min = {-40, 59}, .max = {14, 89}, .is_clipped = true}};
    const std::vector<std::string_view> targets = {"tokens"};
    const std::vector<ScreenBox> rings = rings_around(items, targets);
    REQUIRE(rings.size() == 1);
    CHECK(rings[0].min.x == 12);
}

TEST_CASE("the dots of many steps do not touch on a narrow card", "[lessons]") {
    Screen screen({640, 351}, link_of("heads", 2));
    screen.surroundings.page_shows_sentence = true;
    screen.settle();
    const std::size_t num_steps = lesson_of(screen.state().view)->steps.size();
    REQUIRE(num_steps == 13);
    const std::vector<std::array<float, 2>> corners = screen.corners_in("lesson");
    for (std::size_t n = 1; n < num_steps; ++n) {
        const UiItem dot = screen.at(concat("step=", n));
        const bool is_between = std::ranges::any_of(corners, [&](const std::array<float, 2>& corner) {
            return std::abs(corner[0] - dot.max.x) < 0.25F && corner[1] > dot.min.y && corner[1] < dot.max.y;
        });
        CAPTURE(n, dot.max.x - dot.min.x);
        CHECK_FALSE(is_between);
    }
}

TEST_CASE("the keys N and B go on and back, but not while something is typed", "[lessons][focus]") {
    Screen screen({1280, 800}, "lesson=causal&step=3");
    screen.type("n");
    CHECK(screen.state().view.step == 3);
    screen.type("B");
    screen.type("b");
    CHECK(screen.state().view.step == 1);
    screen.click("text");
    screen.type("nb");
    CHECK(screen.state().view.step == 1);
    screen.press(ImGuiKey_Escape);
    screen.click("share");
    screen.type("n");
    CHECK(screen.state().view.step == 1);
}

TEST_CASE("what a step's words speak of is in sight on a laptop", "[lessons][model]") {
    const auto [lesson, step, name] = GENERATE(table<const char*, int, const char*>({{"votes", 1, "vote=2.7"},
                                                                                     {"votes", 2, "vote=2.1"},
                                                                                     {"votes", 3, "vote=2.1"},
                                                                                     {"votes", 6, "vote=2.7"},
                                                                                     {"votes", 7, "vote=2.1"},
                                                                                     {"cache", 6, "length+"},
                                                                                     {"groups", 7, "length+"},
                                                                                     {"latent", 10, "length+"}}));
    CAPTURE(lesson, step, name);
    Screen screen({1280, 800}, link_of(lesson, step));
    screen.settle();
    CHECK_FALSE(screen.at(name).is_clipped);
}

TEST_CASE("the card and the menu ask the page for the sheet once something is answered", "[lessons]") {
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(860, 640), ImVec2(360, 640)}) {
        CAPTURE(size.x);
        Screen screen(size, link_of("causal", 8));
        screen.surroundings.page_shows_sentence = true;
        screen.settle();
        CHECK_FALSE(screen.has("sheet"));
        screen.type("0.25");
        screen.press(ImGuiKey_Enter);
        CHECK_FALSE(screen.at("sheet").is_clipped);
        CHECK(screen.at("lesson=leave").max.x <= size.x);
        screen.take_requests();
        screen.click("sheet");
        std::vector<UiRequest> requests = screen.take_requests();
        REQUIRE(requests.size() == 1);
        CHECK(requests.front().kind == UiRequest::Kind::sheet);
        screen.click("step+");  // a step without a question: the sheet stays in sight
        CHECK(screen.has("sheet"));
        screen.surroundings.page_shows_sentence = false;  // the desktop has no page to show it
        screen.settle();
        CHECK_FALSE(screen.has("sheet"));
    }
    Screen screen({1280, 800}, link_of("no-weights", 7));  // the list begins with the lesson that is on in sight
    screen.surroundings.page_shows_sentence = true;
    screen.type("0.25");
    screen.press(ImGuiKey_Enter);
    screen.click("lessons");
    screen.click("sheet=all");
    const std::vector<UiRequest> requests = screen.take_requests();
    REQUIRE_FALSE(requests.empty());
    CHECK(requests.back().kind == UiRequest::Kind::sheet);
}

TEST_CASE("a teacher's task goes through its steps as a lesson does, and ends", "[lessons][tasks]") {
    OwnTask task = {.title = "By hand", .about = "One row.", .keep = "", .steps = {}};
    for (const std::string_view check : {"", "&check=weights&hide=weights[1,2,1]"}) {
        task.steps.push_back({.title = "A step",
                              .link = concat("text=the+cat+sat", check),
                              .text = "It is {weights 1,2,0}.",
                              .answer = "",
                              .hint = "",
                              .question = "",
                              .reason = "",
                              .choices = {}});
    }
    const std::string name = write_task(task);
    Screen screen({1280, 800}, concat("lesson=", encode_form(name)));
    CHECK(screen.notes().empty());
    REQUIRE(screen.has("step+"));
    screen.click("step+");
    CHECK(screen.state().view.lesson == name);
    CHECK(screen.state().view.step == 1);
    CHECK(screen.has("check hint"));
    screen.click("step+");  // there is no lesson after it
    CHECK(screen.state().view.step == 1);
    screen.click("step-");
    CHECK(screen.state().view.step == 0);
    screen.click("lesson=leave");
    CHECK(screen.state().view.lesson.empty());
    CHECK(screen.state().inputs.texts.at(0) == "the cat sat");
}
