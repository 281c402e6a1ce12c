// What a step asks before it goes on, on the lesson's card: chosen by pointer, by keyboard and in the picture.
#include "playground/lessons/prediction.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/check/answers.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

// A screen with the answers of its visit.
class PredictionScreen : public Screen {
public:
    explicit PredictionScreen(std::string_view link, ImVec2 size = {1280, 800}) : Screen(size, link) {}

    const std::vector<AnswerRecord>& records() { return session().answers().log.records(); }
    const PredictionCourse& course() { return session().prediction(); }

    // Tab to the item and press the key.
    void press_on(std::string_view name, ImGuiKey key) {
        for (int k = 0; k < 400 && ui().focused_item() != name; ++k) press(ImGuiKey_Tab);
        REQUIRE(ui().focused_item() == name);
        press(key);
    }
};

}  // namespace

TEST_CASE("a choice is pressed, kept and told, and another one is a second try", "[lessons][predict]") {
    PredictionScreen screen("lesson=no-weights&step=2");
    CHECK(screen.state().view.hide.contains("values"));
    REQUIRE(screen.has("predict=1"));
    screen.click("predict=1");
    CHECK(screen.course().said.starts_with("You said: “with”; it is: “Your”."));
    CHECK_FALSE(screen.state().view.hide.contains("values"));  // the numbers come
    CHECK(screen.records().at(0).tries == 1);
    screen.click("predict=2");
    CHECK(screen.course().is_right);
    CHECK(screen.records().at(0).right_at == 2);
    screen.click("predict=3");  // right stays
    CHECK(screen.records().at(0).tries == 2);

    screen.click("step+");
    CHECK_FALSE(screen.has("predict=1"));
    screen.click("step-");
    CHECK(screen.course().is_right);  // as it was
}

TEST_CASE("a choice can be made with the keyboard alone", "[lessons][predict]") {
    PredictionScreen screen("lesson=heads&step=8");
    screen.press_on("predict=2", ImGuiKey_Enter);
    CHECK(screen.course().is_right);
    CHECK(screen.records().at(0).typed == "only those of head 2");
}

TEST_CASE("a head is chosen by its button, or by its card in the picture", "[lessons][predict]") {
    {
        PredictionScreen screen("lesson=copying&step=3");
        screen.click("predict=2");
        CHECK(screen.records().at(0).mistakes == std::vector<std::string>{"Without head 2 “b” keeps 0.9996."});
        screen.press_on("predict=8", ImGuiKey_Enter);
        CHECK(screen.records().at(0).right_at == 2);
    }
    PredictionScreen screen("lesson=copying&step=3");
    screen.click("layer=1&head=3");
    CHECK(screen.records().at(0).typed == "head 3");
    screen.click("layer=1&head=8");  // after a choice the picture is looked at again
    CHECK(screen.records().at(0).tries == 1);
}

TEST_CASE("a cell of the row is chosen by its word, or in the picture", "[lessons][predict]") {
    {
        PredictionScreen screen("lesson=copying&step=2");
        screen.press_on("predict=5", ImGuiKey_Enter);
        CHECK(screen.records().at(0).typed == "“n” (4)");
        screen.click("predict=6");
        CHECK(screen.course().is_right);
        CHECK(screen.state().view.hide.empty());
    }
    PredictionScreen screen("lesson=copying&step=2");
    screen.state().view.cell = Cell{.head = 7, .row = 10, .column = 5};  // as a press on the map does
    screen.settle();
    CHECK(screen.course().is_right);
}

TEST_CASE("an order is made with buttons, by pointer and by keyboard", "[lessons][predict]") {
    PredictionScreen screen("lesson=off&step=6");
    screen.click("predict=order");
    CHECK(screen.records().at(0).tries == 1);
    screen.click("predict up=3");
    screen.press_on("predict up=2", ImGuiKey_Enter);
    screen.press_on("predict down=2", ImGuiKey_Enter);
    CHECK(screen.course().choices.at(0).says == "without head 7");
    screen.click("predict=order");
    CHECK(screen.course().is_right);
    CHECK(screen.records().at(0).right_at == 2);
}

TEST_CASE("Next waits for a choice, and does not ask for one", "[lessons][predict]") {
    PredictionScreen screen("lesson=shares&step=1");
    screen.click("step+");
    CHECK(screen.state().view.step == 1);
    CHECK(screen.records().empty());
}

TEST_CASE("every choice has room on a phone, in a frame and beside the picture", "[lessons][predict][property]") {
    for (const ImVec2 size : {ImVec2(360, 640), ImVec2(860, 640), ImVec2(1280, 800)}) {
        for (const Lesson& lesson : lessons()) {
            for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
                if (!lesson.steps[i].asks) continue;
                CAPTURE(size.x, lesson.name, i + 1);
                PredictionScreen screen(concat("lesson=", lesson.name, "&step=", i + 1), size);
                CHECK(std::ranges::any_of(screen.items(),
                                          [](const UiItem& item) { return item.name.starts_with("predict"); }));
                for (const UiItem& item : screen.items()) {
                    if (!item.name.starts_with("predict")) continue;
                    CAPTURE(item.name);
                    CHECK(item.max.x <= size.x);
                    CHECK(item.max.x - item.min.x >= 20);
                }
                CHECK_FALSE(screen.at("step+").is_clipped);
            }
        }
    }
}
