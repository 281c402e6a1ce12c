// A teacher's task is a lesson like ours: its words, its question, Check me and the answers go the same way.
#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/check/check_course.h"
#include "playground/lessons/lessons.h"
#include "playground/lessons/prediction.h"
#include "playground/lessons/step_words.h"
#include "playground/link/link_text.h"
#include "playground/link/state_url.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

OwnTask taught() {
    OwnTask task = {.title = "By hand", .about = "One row.", .keep = "It sums to 1.", .steps = {}};
    task.steps.push_back({.title = "Look",
                          .link = "text=the+cat+sat&seed=7",
                          .text = "It is {weights 1,2,1}, the row {weights 1,2,*}.",
                          .answer = "One.",
                          .hint = "",
                          .question = "What is the sum?",
                          .reason = "It is {sum weights 1,2}.",
                          .choices = {{.says = "two", .why = "Not {heads}.", .is_right = false},
                                      {.says = "one", .why = "", .is_right = true}}});
    task.steps.push_back({.title = "Type",
                          .link = "text=the+cat+sat&seed=7&check=weights&hide=weights[1,2,1]",
                          .text = "Type {weights 1,2,1}; the others are {weights 1,2,0} and {weights 1,2,2}.",
                          .answer = "",
                          .hint = "They sum to 1.",
                          .question = "",
                          .reason = "",
                          .choices = {}});
    return task;
}

PlaygroundState at_step(const OwnTask& task, int step) {
    PlaygroundState state;
    go_to_step(state, *find_lesson(write_task(task)), step);
    return state;
}

std::string first_problem(const OwnTask& task) {
    const Notes notes = problems_of_task(task);
    return notes.empty() ? "" : notes[0];
}

TEST_CASE("a task is found as the view's lesson, and is in no list", "[tasks][lessons]") {
    const std::size_t num_lessons = lessons().size();
    const PlaygroundState state = at_step(taught(), 1);
    const Lesson* lesson = lesson_of(state.view);
    REQUIRE(lesson != nullptr);
    CHECK(lesson->title == "By hand");
    CHECK(lesson->group == kOwnGroup);
    CHECK(step_of(state.view)->title == "Type");
    CHECK(lessons().size() == num_lessons);
    CHECK(minutes_of(*lesson) == 4);
    CHECK(read_link(link_of_step(*lesson, 1)).state == state);
}

TEST_CASE("the words of a task have the numbers of its state", "[tasks][lessons]") {
    // The softmax of one row, from the program's own numbers: what is tested is that the places are filled.
    const PlaygroundState first = at_step(taught(), 0);
    const StepWords words = step_words(first, evaluate(first.inputs, first.view.sentence));
    CHECK(words.goal == "One row.");
    CHECK(words.text == "It is 0.3213, the row 0.2677 0.3213 0.4110.");
    const PlaygroundState last = at_step(taught(), 1);
    const StepWords asked = step_words(last, evaluate(last.inputs, last.view.sentence));
    CHECK(asked.text == "Type ?; the others are 0.2677 and 0.4110.");  // a blank stays one
    CHECK(asked.answer == "Answer to step 1: One.");
    CHECK(asked.keep == std::vector<std::string_view>{"It sums to 1."});
}

TEST_CASE("a task's question is judged and kept with the other answers", "[tasks][lessons]") {
    const PlaygroundState state = at_step(taught(), 0);
    PredictionCourse course;
    AnswerLog log;
    keep_prediction(course, log, state);
    REQUIRE(course.choices.size() == 2);
    PlaygroundState next = state;
    CHECK_THAT(choose(course, log, state, next, 0), ContainsSubstring("it is: one. Not 2. It is 1.0000."));
    CHECK_THAT(choose(course, log, state, next, 1), ContainsSubstring("That is right."));
    REQUIRE(log.records().size() == 1);
    CHECK(log.records()[0].right_at == 2);
    const AnswerPlace& place = log.records()[0].place;
    CHECK_THAT(place.lesson, ContainsSubstring("By hand"));
    CHECK(place.numbers == concat("v=1&lesson=", place.lesson, "&step=1"));  // what a code need not carry (hand_in.js)
}

TEST_CASE("a task's hint comes before the computed ones", "[tasks][lessons]") {
    PlaygroundState state = at_step(taught(), 1);
    const Evaluation evaluation = evaluate(state.inputs, state.view.sentence);
    Answers answers;
    keep_answers(answers, state);
    const std::vector<Question> questions = asked_questions(state, evaluation);
    REQUIRE(questions.size() == 1);
    take_hint(state, answers, evaluation, questions[0]);
    CHECK(hints_of(state, answers, evaluation, questions[0]) == std::vector<std::string>{"They sum to 1."});
    take_hint(state, answers, evaluation, questions[0]);
    const std::vector<std::string> more = hints_of(state, answers, evaluation, questions[0]);
    CHECK(more.size() == 3);
    CHECK(more[0] == "They sum to 1.");
}

TEST_CASE("what a task names and its state has not is told to the teacher, and shown as a gap", "[tasks][bad-input]") {
    CHECK(problems_of_task(taught()).empty());
    OwnTask task = taught();
    SECTION("a cell") {
        task.steps[0].text = "See {weights 1,2,9}.";
        CHECK(first_problem(task) == "step 1: {weights 1,2,9} is no number of this step’s state");
    }
    SECTION("a head") {
        task.steps[0].text = "See {weights 7,0,0}.";
        CHECK_THAT(first_problem(task), ContainsSubstring("{weights 7,0,0} is no number"));
    }
    SECTION("a stage that the state has not") {
        task.steps[0].text = "See {rotated_queries 1,0,0}.";
        CHECK_THAT(first_problem(task), ContainsSubstring("is no number of this step’s state"));
    }
    SECTION("what names nothing") {
        for (const std::string_view name :
             {"", "nonsense", "weights", "weights 1", "weights 1,2", "weights 0,0,0", "weights 1,-1,0",
              "weights 1e9,0,0", "(weights 1,2,1", "(", ")", "weights 1,2,1,1", "weights 1.5,0,0", "weights nan,0,0"}) {
            CAPTURE(name);
            task.steps[0].text = concat("See {", name, "}.");
            CHECK_THAT(first_problem(task), ContainsSubstring("names no number"));
            const PlaygroundState state = at_step(task, 0);
            CHECK(step_words(state, evaluate(state.inputs, state.view.sentence)).text == "See ….");
        }
    }
    SECTION("a brace without an end is a brace") {
        task.steps[0].text = "A set { of words";
        const PlaygroundState state = at_step(task, 0);
        CHECK(step_words(state, evaluate(state.inputs, state.view.sentence)).text == "A set { of words");
    }
    SECTION("a reason's sum") {
        task.steps[0].reason = "It is {nothing 1,2}.";
        CHECK(first_problem(task) == "step 1: {nothing 1,2} is no number of this step’s state");
    }
    SECTION("sums that name no cell") {
        for (const std::string_view sum :
             {"weights 99999999999,0,0", "weights -99999999999,0,0", "hidden -1,5", "hidden 9,9", "sum weights 0,0",
              "length weights 1,99", "mean", "sum", "weights 1,2,1 + ", "next sat", "pair", "@", "weights 1,2,1@"}) {
            CAPTURE(sum);
            task.steps[0].reason = concat("{", sum, "}");
            CHECK(problems_of_task(task).size() <= 1);
        }
        task.steps[0].reason = "{hidden 9,9}";
        CHECK_THAT(first_problem(task), ContainsSubstring("{hidden 9,9} is no number"));
    }
    SECTION("a hint with a number") {
        task.steps[1].hint = "{weights 1,2,0}";
        CHECK_THAT(first_problem(task), ContainsSubstring("step 2: its hint has a brace"));
    }
    SECTION("a hint where nothing is asked") {
        task.steps[0].hint = "Add them.";
        CHECK_THAT(first_problem(task), ContainsSubstring("step 1: it has a hint, and Check me asks for nothing"));
    }
    SECTION("a key that is not legal") {
        task.steps[0].link += "&heads=5000";
        CHECK_THAT(first_problem(task), ContainsSubstring("step 1: heads set to"));
    }
}

TEST_CASE("many tasks can be looked at one after the other", "[tasks]") {
    for (int number = 0; number < 30; ++number) {
        OwnTask task = taught();
        task.title = concat("Task ", number);
        const PlaygroundState state = at_step(task, number % 2);
        CHECK(lesson_of(state.view)->title == task.title);
        CHECK(read_link(write_link(state)).state == state);
    }
}

}  // namespace
}  // namespace attn
