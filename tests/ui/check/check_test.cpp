// Check me on the whole screen: typed into with keys, judged, scored, stopped.
#include "core/ground/check.h"
#include "core/explain/stage_numbers.h"
#include "playground/check/check_me.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"
#include "ui/check/check.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

namespace {

const char* const kCase = "text=a+small+step&heads=2&stage=scores";

std::string right_answer(Screen& screen, TensorId stage, int head, int row, int column) {
    const Evaluation& evaluation = screen.evaluation();
    const Vector numbers = stage_row(*evaluation.problem, evaluation.trace, stage, head, row);
    return exact_number(numbers(column));
}

int num_answer_cells(const Screen& screen) {
    int count = 0;
    for (const UiItem& item : screen.items()) count += item.name.starts_with("answer") ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("on the smallest phone the choice of what is asked stands beside the heads", "[check]") {
    Screen screen({320, 480}, "text=The+cat+sat&check=weights");
    screen.surroundings.is_touch = true;
    screen.settle();
    CHECK(screen.at("check=weights").min.y == screen.at("check=all").min.y);
    CHECK(screen.at("check=all").min.y < screen.at("head+").max.y);
    CHECK_FALSE(screen.at("check=all").is_clipped);
}

TEST_CASE("the button blanks the shown stage and gives it back", "[check]") {
    Screen screen({1280, 800}, kCase);
    REQUIRE(screen.has("map=1"));
    screen.click("check");
    CHECK(screen.state().view.check == std::set<TensorId>{TensorId::scores});
    CHECK_FALSE(screen.has("map=1"));
    CHECK(num_answer_cells(screen) == 18);
    screen.click("check");
    CHECK(screen.state().view.check.empty());
    CHECK(screen.has("map=1"));
}

TEST_CASE("numbers are typed one after the other with Enter", "[check]") {
    Screen screen({1280, 800}, concat(kCase, "&check=scores"));
    screen.click("answer");
    for (int column = 0; column < 3; ++column) {
        screen.type(right_answer(screen, TensorId::scores, 0, 0, column).c_str());
        screen.press(ImGuiKey_Enter);
    }
    CHECK(screen.state().view.score == Score{3, 3, 0});
    CHECK(screen.state().view.cell == Cell{0, 1, 0});
    CHECK(screen.has("answer=1,0,0"));  // a cell at rest again

    screen.type("77.77");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.score == Score{3, 4, 0});
    CHECK(screen.state().view.cell == Cell{0, 1, 0});                      // stays where the answer is wrong
    screen.type(right_answer(screen, TensorId::scores, 0, 1, 0).c_str());  // over the selected text
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.score == Score{4, 4, 0});
}

TEST_CASE("an answer left without Enter is judged, one left with Escape is not", "[check]") {
    Screen screen({1280, 800}, concat(kCase, "&check=scores"));
    screen.click("answer");
    screen.type("5.55");
    screen.click("answer=2,1,1");
    CHECK(screen.state().view.score == Score{0, 1, 0});
    CHECK(screen.state().view.cell == Cell{1, 1, 1});
    screen.type("6.66");
    screen.press(ImGuiKey_Escape);
    CHECK(screen.state().view.score == Score{0, 1, 0});
}

TEST_CASE("an answer is never judged by other numbers than it was given to", "[check]") {
    Screen screen({1280, 800}, concat(kCase, "&check=scores"));
    screen.click("answer");
    screen.type("5.55");
    screen.click("d_in+");  // acts when it is pressed, in the frame in which the field is left
    CHECK(screen.state().inputs.d_in == 9);
    CHECK_FALSE(screen.state().view.score);
    screen.click("answer");
    screen.press(ImGuiKey_Enter);  // nothing is left of what was typed
    CHECK_FALSE(screen.state().view.score);
}

TEST_CASE("arrows walk over the grid", "[check]") {
    Screen screen({1280, 800}, concat(kCase, "&check=scores&cell=1,0,0"));
    screen.click("answer");
    screen.press(ImGuiKey_RightArrow);
    CHECK(screen.state().view.cell == Cell{0, 0, 1});
    screen.press(ImGuiKey_DownArrow);
    CHECK(screen.state().view.cell == Cell{0, 1, 1});
    screen.type(right_answer(screen, TensorId::scores, 0, 1, 1).c_str());
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.score == Score{1, 1, 0});
}

TEST_CASE("hints, told answers and new numbers", "[check]") {
    Screen screen({1280, 800}, concat(kCase, "&check=scores"));
    for (int taken = 1; taken <= 3; ++taken) {
        screen.click("check hint");
        CHECK(screen.state().view.score->hints == taken);
    }
    CHECK_FALSE(screen.has("check hint"));
    screen.click("check show");
    CHECK(screen.state().view.score == Score{0, 1, 3});
    const std::uint64_t seed = screen.state().inputs.seed;
    screen.click("check new");
    CHECK(screen.state().inputs.seed == seed + 1);
    CHECK(num_answer_cells(screen) == 18);
    CHECK(screen.has("check hint"));
    CHECK_FALSE(screen.has("check stop"));  // there is one way to stop: the button that began it
    screen.click("check");
    CHECK(screen.state().view.check.empty());
    CHECK(write_link(screen.state()).find("score=0/1/3") != std::string::npos);
}

TEST_CASE("a step whose words name its own numbers has no new ones", "[check][lessons]") {
    const char* const link = GENERATE("lesson=causal&step=8", "lesson=shares&step=2");
    const bool has_others = std::string_view(link).find("causal") != std::string_view::npos;
    Screen screen({1280, 800}, link);
    const std::uint64_t seed = screen.state().inputs.seed;
    screen.click("check new");
    CHECK(screen.state().inputs.seed == seed + (has_others ? 1 : 0));
}

TEST_CASE("the whole case is blank at a click, and its stages can be walked", "[check]") {
    Screen screen({1280, 800}, concat(kCase, "&check=scores"));
    screen.click("check=all");
    for (const char* stage : {"embeddings", "queries", "weights", "context", "merged"}) {
        screen.click(concat("stage=", stage));
        CHECK(num_answer_cells(screen) > 0);
        CHECK_FALSE(screen.has("map=1"));
    }
    screen.click("check=merged");
    CHECK(screen.state().view.check == std::set<TensorId>{TensorId::merged});
}

TEST_CASE("views that would give blank numbers away say so", "[check]") {
    for (const char* view : {"lines", "compare", "stacked", "split", "dots"}) {
        CAPTURE(view);
        Screen screen({1280, 800}, concat(kCase, "&stage=context&check=weights&view=", view));
        CHECK(num_answer_cells(screen) == 0);
        CHECK_FALSE(screen.has("map=1"));
        screen.click("check numbers");
        CHECK(screen.state().view.view == ViewKind::matrix);
        CHECK(screen.has("map=1"));
    }
    Screen screen({1280, 800}, concat(kCase, "&check=scores&view=softmax"));
    CHECK(screen.has("slider=gain"));
}

TEST_CASE("where the view is locked no button leads to another", "[check]") {
    Screen screen({1280, 800}, concat(kCase, "&stage=context&check=weights&view=lines&lock=view"));
    CHECK_FALSE(screen.has("check numbers"));
}

TEST_CASE("the inspector keeps quiet about blank numbers", "[check]") {
    // With the weights blank, neither their row nor the products of the context are explained.
    const auto num_factors = [](const std::string& link) {
        const Screen screen({1280, 800}, link);
        int count = 0;
        for (const UiItem& item : screen.items()) count += item.name.starts_with("factor") ? 1 : 0;
        return count;
    };
    CHECK(num_factors("text=a+small+step&stage=context&cell=1,1,1&check=weights") == 0);
    CHECK(num_factors("text=a+small+step&stage=context&cell=1,1,1") > 0);
}

namespace {

// How many corners of this colour the window of this name has.
int num_corners(std::string_view name, ImU32 color) {
    int count = 0;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        if (std::string_view(window->Name).find(concat("/", name, "_")) == std::string_view::npos) continue;
        for (const ImDrawVert& corner : window->DrawList->VtxBuffer) count += corner.col == color ? 1 : 0;
    }
    return count;
}

// Whether the lesson's Next is filled with the colour of what comes next.
bool is_next_lit(const Screen& screen) {
    const UiItem& next = screen.at("step+");
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        for (const ImDrawVert& corner : window->DrawList->VtxBuffer) {
            const bool is_inside = corner.pos.x >= next.min.x && corner.pos.x <= next.max.x &&
                                   corner.pos.y >= next.min.y && corner.pos.y <= next.max.y;
            if (is_inside && corner.col == palette_of(false).accent) return true;
        }
    }
    return false;
}

}  // namespace

TEST_CASE("an exercise has one field, which has the keyboard, and says when it is done", "[check][lessons]") {
    Screen screen({1280, 800}, "lesson=no-weights&step=4");
    screen.click("step+");  // as a visitor comes
    screen.point_at(ImVec2(5, 5));
    CHECK(num_answer_cells(screen) == 1);
    CHECK(screen.ui().focused_item() == "answer");
    CHECK_FALSE(screen.has("check=all"));
    CHECK_FALSE(is_next_lit(screen));
    (void)screen.ui().take_said();

    screen.type("0.40");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.score == Score{0, 1, 0});
    CHECK(num_corners("question", palette_of(false).warning) > 0);
    CHECK_FALSE(is_next_lit(screen));
    screen.type("0.44");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.score == Score{1, 1, 0});
    CHECK(num_corners("question", right_color(palette_of(false))) > 0);
    CHECK(num_answer_cells(screen) == 1);
    CHECK(screen.state().view.cell == Cell{0, 1, 0});  // the cursor goes nowhere else
    std::string told;
    for (const std::string& words : screen.ui().take_said()) told += words + "\n";
    CHECK(told.find("Not yet, because ") != std::string::npos);
    CHECK(told.find("Right. Score: 1 of 1 right. Done. Press Next.") != std::string::npos);
    screen.point_at(ImVec2(5, 5));  // what is pointed at has another colour
    CHECK(is_next_lit(screen));
    screen.type("n");  // no field takes it any more
    CHECK(screen.state().view.step == 5);
}

TEST_CASE("a link that opens an exercise can be answered at once", "[check][lessons]") {
    Screen screen({1280, 800}, "lesson=no-weights&step=5");
    screen.type("0.4419");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.score == Score{1, 1, 0});
}

TEST_CASE("an exercise for two numbers has two fields, and the cursor goes from one to the other", "[check][lessons]") {
    Screen screen({1280, 800}, "lesson=trainable&step=7");
    CHECK(num_answer_cells(screen) == 2);
    screen.type("0.3061");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.cell == Cell{0, 1, 1});
    CHECK(screen.ui().focused_item() == "answer");
    CHECK(num_corners("question", right_color(palette_of(false))) > 0);  // says Right before it asks on
    CHECK_FALSE(is_next_lit(screen));
    screen.type("0.8210");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.score == Score{2, 2, 0});
    CHECK(is_next_lit(screen));
}

TEST_CASE("a check that a button begins has the keyboard at once", "[check]") {
    Screen screen({1280, 800}, kCase);
    screen.click("check");
    screen.type("77.77");
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.score == Score{0, 1, 0});
}

TEST_CASE("a check that a finger begins has no keyboard, which would cover the picture", "[check][touch]") {
    Screen screen({1280, 800}, kCase);
    screen.surroundings.is_touch = true;
    screen.click("check");
    CHECK_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_CASE("a count that a lesson asks for is one question", "[check][lessons]") {
    Screen screen({1280, 800}, "lesson=groups&step=4");
    REQUIRE(screen.state().view.asks_counts);
    CHECK_FALSE(is_next_lit(screen));
    screen.type("8");
    screen.press(ImGuiKey_Enter);
    CHECK_FALSE(screen.has("count next"));
    CHECK(is_next_lit(screen));
}

TEST_CASE("a case that is too large is still blank if a link says so", "[check]") {
    const Screen screen({1280, 800}, "d_out=16&heads=16&stage=scores&check=scores");
    CHECK_FALSE(screen.has("map=1"));
    CHECK(num_answer_cells(screen) == 0);
}

TEST_CASE("a case that is too large is not asked for", "[check]") {
    Screen screen({1280, 800}, "d_out=16&heads=16&stage=scores");
    screen.click("check");
    CHECK(screen.state().view.check.empty());
    REQUIRE(screen.notes().size() == 1);
    CHECK(screen.notes()[0].find("more than the 256") != std::string::npos);
}

TEST_CASE("a check comes to rest at every size", "[check]") {
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(700, 900), ImVec2(390, 844), ImVec2(360, 480)}) {
        for (const char* link : {"check=weights", "check=all&text=a", "check=all&heads=4&stage=queries&cell=2,3,0",
                                 "check=merged&stage=merged", "check=all&mask_at=after&stage=unmasked_weights"}) {
            CAPTURE(size.x, link);
            Screen screen(size, link);
            CHECK(num_answer_cells(screen) > 0);
            const int frames = screen.num_frames;
            screen.settle();
            CHECK(screen.num_frames == frames + 1);
        }
    }
}

TEST_CASE("what the author of a page left blank is asked for, in its cells alone", "[check]") {
    Screen screen({1280, 800}, "text=a+small+step&heads=2&stage=weights&hide=weights[1,2,0],weights[2,2,1]");
    screen.click("check");
    CHECK(num_answer_cells(screen) == 2);
    CHECK(is_asked(screen.state(), TensorId::weights));
    CHECK_FALSE(is_blank(screen.state(), TensorId::weights));
    screen.click("answer");
    screen.type(right_answer(screen, TensorId::weights, 0, 2, 0).c_str());
    screen.press(ImGuiKey_Enter);
    CHECK(screen.state().view.score == Score{1, 1, 0});
    CHECK(screen.state().view.cell == Cell{1, 2, 1});  // the other one
    screen.click("check");
    CHECK(screen.has("map=1"));
}

TEST_CASE("a blank cell is typed from where it is pinned, and its arithmetic stays away", "[check]") {
    Screen screen({1280, 1400}, "text=a+small+step&heads=2&stage=weights&hide=weights[1,2,0]&cell=1,2,0");
    CHECK_FALSE(screen.has("factor exp0"));
    for (const UiItem& item : screen.items()) CHECK_FALSE(item.name.starts_with("factor "));
    screen.click("check blank");
    CHECK(num_answer_cells(screen) == 1);
    screen.click("check");
    screen.state().view.cell = Cell{1, 2, 0};  // of the other head: nothing in it is blank
    screen.settle();
    CHECK_FALSE(screen.has("check blank"));
    CHECK(std::any_of(screen.items().begin(), screen.items().end(),
                      [](const UiItem& item) { return item.name.starts_with("factor "); }));
}

TEST_CASE("verdicts, hints and answers are told", "[check][focus]") {
    Screen screen({1280, 800}, concat(kCase, "&check=scores"));
    const auto told = [&] {
        std::string all;
        for (const std::string& words : screen.ui().take_said()) all += words;
        return all;
    };
    screen.click("answer");
    screen.type("77.77");
    screen.press(ImGuiKey_Enter);
    CHECK(told().starts_with("Not yet, because the number is below 77.77."));
    const double right = stage_row(*screen.evaluation().problem, screen.evaluation().trace, TensorId::scores, 0, 0)(0);
    screen.type(shown_number(right, 1).c_str());
    screen.press(ImGuiKey_Enter);
    CHECK(told().starts_with("Too few digits"));
    screen.type(right_answer(screen, TensorId::scores, 0, 0, 0).c_str());
    screen.press(ImGuiKey_Enter);
    CHECK(told() == "Right. Score: 1 of 1 right.");
    screen.click("check hint");
    CHECK(told().starts_with("Hint: "));
    screen.click("check show");
    CHECK(told().starts_with("It is "));
}

TEST_CASE("in the field Shift+Enter takes a hint and Ctrl+Enter shows the answer", "[check][focus]") {
    Screen screen({1280, 800}, concat(kCase, "&check=scores&cell=1,0,0"));
    screen.click("answer");
    const Cell first = pinned(screen);
    for (int taken = 1; taken <= 3; ++taken) {
        press_with_shift(screen, ImGuiKey_Enter);
        CHECK(screen.state().view.score->hints == taken);
        CHECK(pinned(screen) == first);
        CHECK(screen.ui().focused_item() == "answer");
    }
    screen.press_with_ctrl(ImGuiKey_Enter);
    CHECK(screen.state().view.score == Score{0, 1, 3});
    CHECK(pinned(screen) != first);
    CHECK(screen.ui().focused_item() == "answer");
    CHECK(screen.ui().focus_words().starts_with("answer for Head 1"));
}
