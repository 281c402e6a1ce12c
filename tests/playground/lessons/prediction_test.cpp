// What steps ask before they go on: which choice is right follows from the numbers, each wrong one has its sentence,
// nothing of the answer stands on the screen before, and every choice is kept.
#include "playground/lessons/prediction.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/check/answers.h"
#include "playground/lessons/claims.h"
#include "playground/link/blanks.h"
#include "playground/link/state_url.h"
#include "playground/state/open_models.h"
#include "views/words/mirror.h"

using namespace attn;
using nlohmann::json;

namespace {

PlaygroundState state_of(std::string_view lesson, int step) {
    PlaygroundState state;
    go_to_step(state, *find_lesson(lesson), step - 1);
    return state;
}

PredictionCourse course_of(const PlaygroundState& state, const AnswerLog& log = {}) {
    PredictionCourse course;
    keep_prediction(course, log, state);
    return course;
}

template <class Visit>
int for_each_prediction(Visit visit) {
    int count = 0;
    for (const Lesson& lesson : lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const int step = static_cast<int>(i) + 1;
            if (!lesson.steps[i].asks) continue;
            CAPTURE(lesson.name, step);
            ++count;
            visit(state_of(lesson.name, step), *lesson.steps[i].asks);
        }
    }
    return count;
}

std::size_t letters_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !continues_code_point(c); }));
}

// Numbers with decimals, as they stand in a text: "0.9544", "−0.1105".
std::set<std::string> decimals_in(std::string_view text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::set<std::string> found;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        if (text[i] != '.' || !is_digit(text[i - 1]) || !is_digit(text[i + 1])) continue;
        std::size_t begin = i, end = i + 1;
        while (begin > 0 && is_digit(text[begin - 1])) --begin;
        while (end < text.size() && is_digit(text[end])) ++end;
        found.emplace(text.substr(begin, end - begin));
    }
    return found;
}

}  // namespace

TEST_CASE("every step that let the visitor decide asks, and so do the six lessons about a model",
          "[lessons][predict]") {
    int of_models = 0;
    const int count = for_each_prediction([&](const PlaygroundState& state, const PredictionRow&) {
        const std::set<std::string> six = {"learned", "votes", "off", "copying", "layers", "bertviz"};
        of_models += six.contains(state.view.lesson) ? 1 : 0;
    });
    // 31 that said "Decide", two in each of the six, 13 on typed numbers, 17 on parts of a model, 2 more
    CHECK(count == 75);
    CHECK(of_models == 13);
    for (const Lesson& lesson : lessons()) {
        for (const LessonStep& step : lesson.steps) CHECK(step.text.find("Decide") == std::string_view::npos);
    }
}

TEST_CASE("one choice of a prediction is right, by the numbers of its step", "[lessons][predict]") {
    for_each_prediction([](const PlaygroundState& state, const PredictionRow& row) {
        const PredictionCourse course = course_of(state);
        const std::vector<int> right = right_choices(course);
        CHECK(course.choices.size() >= 2);
        if (row.kind == PredictionKind::order) {
            CHECK(right.size() == course.choices.size());
            CHECK_FALSE(std::ranges::is_sorted(right));  // the first arrangement is not the answer
        } else {
            CHECK(right.size() == 1);
        }
    });
}

TEST_CASE("with another seed still one choice is right", "[lessons][predict]") {
    for (const std::uint64_t seed : {7, 124, 2024}) {
        CAPTURE(seed);
        for_each_prediction([&](PlaygroundState state, const PredictionRow& row) {
            if (!state.inputs.model.empty()) return;
            state.inputs.seed = seed;
            const std::vector<int> right = right_choices(course_of(state));
            CAPTURE(right);
            CHECK(right.size() == (row.kind == PredictionKind::order ? row.choices.size() : 1));
        });
    }
}

TEST_CASE("another choice can be right with another seed", "[lessons][predict]") {
    // Which of “journey” and “step” gives the other more.
    std::set<int> right;
    for (std::uint64_t seed = 1; seed < 200 && right.size() < 2; ++seed) {
        PlaygroundState state = state_of("trainable", 4);
        state.inputs.seed = seed;
        right.insert(right_choices(course_of(state)).at(0));
    }
    CHECK(right.size() == 2);
}

TEST_CASE("every choice is told what is wrong with it, in a sentence with its numbers", "[lessons][predict]") {
    for_each_prediction([](const PlaygroundState& state, const PredictionRow& row) {
        CHECK((row.question.ends_with('?') || row.question.ends_with('.')));
        std::set<std::string> named;
        const PredictionCourse asked = course_of(state);
        const std::vector<int> right = right_choices(asked);
        for (int i = 0; i < static_cast<int>(asked.choices.size()); ++i) {
            const std::string& says = asked.choices[static_cast<std::size_t>(i)].says;
            CAPTURE(says);
            CHECK(letters_of(says) <= 40);  // a button on a phone
            CHECK(named.insert(says).second);
            PredictionCourse course = asked;
            AnswerLog log;
            PlaygroundState next = state;
            const std::string said = choose(course, log, state, next, i);
            CAPTURE(said);
            CHECK(said.starts_with("You said: "));
            CHECK(said.ends_with('.'));
            for (const char* left : {"{", "}", "…", "#", "$", "  ", "NaN"}) CHECK(said.find(left) == std::string::npos);
            const AnswerRecord& record = log.records().at(0);
            CHECK(record.tries == 1);
            const bool is_right = row.kind != PredictionKind::order && i == right.at(0);
            CHECK(course.is_right == is_right);
            CHECK(record.right_at == (is_right ? 1 : 0));
            CHECK(record.mistakes.size() == (is_right ? 0 : 1));
            if (is_right) continue;
            const std::string& mistake = record.mistakes.at(0);
            CHECK(mistake.ends_with('.'));
            CHECK(letters_of(mistake) <= 140);
            CHECK(said.find(concat("; it is: ", row.kind == PredictionKind::order
                                                    ? std::string()
                                                    : asked.choices[static_cast<std::size_t>(right.at(0))].says)) !=
                  std::string::npos);
        }
    });
}

TEST_CASE("nothing on the screen tells the answer before the choice", "[lessons][predict]") {
    for_each_prediction([](const PlaygroundState& state, const PredictionRow& row) {
        // The row in which a cell is chosen is blank as a whole, in every stage that has the same numbers.
        const PredictionCourse course = course_of(state);
        if (row.kind == PredictionKind::cell) {
            const Blanks blanks(state);
            const Evaluation evaluation = evaluate(state.inputs, state.view.sentence);
            const int head = state.view.head.value();
            for (const PredictionCourse::Choice& choice : course.choices)
                CHECK(blanks.has(state.view.stage, head, evaluation.num_tokens() - 1, choice.place));
            CHECK_FALSE(state.view.cell);
        }
        // Numbers that are told after the choice are not there before, but those that the step itself says.
        StepNumbers numbers(state.view, state.inputs);
        const json mirror = json::parse(mirror_as_json(read_link(write_link(state))));
        CHECK(mirror.at("lesson").at("asks").is_null());
        json shown = mirror.at("shown");
        shown["view"] = mirror.at("view").at("tables");
        const std::string screen = shown.dump();
        const std::string text = mirror.at("lesson").at("text").get<std::string>();
        for (const std::string& number : decimals_in(numbers.filled(row.reason))) {
            CAPTURE(number);
            const bool is_said = text.find(number) != std::string::npos || row.reason.find(number) != std::string::npos;
            CHECK((is_said || screen.find(number) == std::string::npos));
        }
        CHECK(text.find(numbers.filled(row.reason)) == std::string::npos);
    });
}

TEST_CASE("a choice, then another one: both are kept, and come back", "[lessons][predict][answers]") {
    const PlaygroundState state = state_of("no-weights", 2);
    PlaygroundState next = state;
    AnswerLog log;
    PredictionCourse course = course_of(state, log);
    CHECK(course.is_open());
    CHECK(course.said.empty());
    const std::string said = choose(course, log, state, next, 0);
    CHECK(said ==
          "You said: “with”; it is: “Your”. The direction of “with” is better, but a dot product also grows with the "
          "length. The score of “Your” is 0.9544, that of “with” 0.8434.");
    CHECK_FALSE(course.is_open());
    CHECK(state.view.hide.contains("values"));
    CHECK_FALSE(next.view.hide.contains("values"));  // what was hidden is shown
    CHECK(read_link(write_link(next)).state == next);

    CHECK(choose(course, log, state, next, 0) == said);  // the same choice again is no try
    CHECK(log.records().at(0).tries == 1);
    CHECK(choose(course, log, state, next, 1).starts_with("You said: “Your”. That is right. The score"));
    const AnswerRecord& record = log.records().at(0);
    CHECK(log.records().size() == 1);
    CHECK(record.tries == 2);
    CHECK(record.right_at == 2);
    CHECK(record.typed == "“Your”");
    CHECK(record.asked == "Which scores higher with “journey”?");
    CHECK(record.place.question == "prediction");
    CHECK(record.place.lesson == "no-weights");
    CHECK(record.place.step == 1);
    CHECK(record.mistakes ==
          std::vector<std::string>{"The direction of “with” is better, but a dot product also grows with the length."});

    choose(course, log, state, next, 2);  // right stays right
    CHECK(log.records().at(0).tries == 2);
    const PredictionCourse again = course_of(state, log);
    CHECK(again.chosen == 1);
    CHECK(again.is_right);
    CHECK(again.said == course.said);
    CHECK(choice_in_words(again, 1) == "“Your”, your answer, right");
    CHECK(choice_in_words(again, 0) == "“with”");

    log.clear("no-weights");
    keep_prediction(course, log, state);
    CHECK(course.is_open());
    CHECK(course.said.empty());
}

TEST_CASE("another seed is another question, a change in the step is not", "[lessons][predict]") {
    PlaygroundState state = state_of("trainable", 4);
    AnswerLog log;
    PredictionCourse course = course_of(state, log);
    choose(course, log, state, state, 1);
    CHECK(course.is_right);
    state.inputs.num_heads = 2;  // looked at, and still the step's question
    keep_prediction(course, log, state);
    CHECK(course.is_right);
    state.inputs.seed = 9;
    keep_prediction(course, log, state);
    CHECK(course.is_open());
    go_to_step(state, *find_lesson("trainable"), 4);
    keep_prediction(course, log, state);
    CHECK_FALSE(course.is_asked());
}

TEST_CASE("an order is judged as a whole, and moved one place at a time", "[lessons][predict]") {
    const PlaygroundState state = state_of("off", 6);
    PlaygroundState next = state;
    AnswerLog log;
    PredictionCourse course = course_of(state, log);
    const auto order = [&] {
        std::string all;
        for (const PredictionCourse::Choice& choice : course.choices) all += choice.says.back();
        return all;
    };
    REQUIRE(order() == "127");
    move_choice(course, 0, -1);
    move_choice(course, 2, 1);
    CHECK(order() == "127");
    const std::string said = choose(course, log, state, next, 0);
    CHECK(said.find("it is: without head 7, without head 2, without head 1.") != std::string::npos);
    CHECK(said.find("Head 1 votes for “artist” and against “woman”") != std::string::npos);  // first, and wrongly so
    move_choice(course, 2, -1);
    move_choice(course, 1, -1);
    move_choice(course, 2, -1);
    CHECK(order() == "721");
    choose(course, log, state, next, 0);
    CHECK(course.is_right);
    CHECK(log.records().at(0).right_at == 2);
    CHECK(log.records().at(0).typed == "without head 7, without head 2, without head 1");
    move_choice(course, 0, 1);
    CHECK(order() == "721");
    course = course_of(state, log);  // in another visit
    CHECK(order() == "721");
    CHECK(course.is_right);
}

TEST_CASE("the whole of a prediction is what choosing each answer would say", "[lessons][predict]") {
    const int count = for_each_prediction([](const PlaygroundState& state, const PredictionRow& row) {
        const std::optional<WholePrediction> whole = whole_prediction(state);
        REQUIRE(whole);
        CHECK(whole->question == row.question);
        CHECK(whole->state.view.lesson == state.view.lesson);
        CHECK(std::ranges::any_of(whole->answers, &WholePrediction::Answer::is_right));
        CHECK(std::ranges::any_of(whole->answers, [](const auto& answer) { return !answer.is_right; }));
        if (row.kind == PredictionKind::order) return;
        for (std::size_t n = 0; n < whole->answers.size(); ++n) {
            PredictionCourse course = course_of(state);
            PlaygroundState next = state;
            AnswerLog log;
            const std::string said = choose(course, log, state, next, static_cast<int>(n));
            CHECK(course.choices[n].says == whole->answers[n].says);
            CHECK(course.is_right == whole->answers[n].is_right);
            const std::string& why = whole->answers[n].why;
            const std::vector<std::string> logged = log.records().at(0).mistakes;
            CHECK(logged ==
                  (why.empty() ? std::vector<std::string>() : std::vector{cut_text(why, AnswerLog::kMaxText)}));
            CHECK(said.ends_with(whole->reason));
        }
    });
    CHECK(count > 40);
    CHECK(!whole_prediction(PlaygroundState()));
}

TEST_CASE("the whole of an order has each order of its texts once, with the first that is misplaced",
          "[lessons][predict]") {
    const std::optional<WholePrediction> whole = whole_prediction(state_of("off", 6));
    REQUIRE(whole);
    std::set<std::string> orders;
    for (const WholePrediction::Answer& answer : whole->answers) {
        orders.insert(answer.says);
        CHECK(answer.is_right == (answer.says == "without head 7, without head 2, without head 1"));
        CHECK(answer.why.empty() == answer.is_right);
        if (answer.says.starts_with("without head 1")) CHECK(answer.why.starts_with("Head 1 votes"));
    }
    CHECK(orders.size() == 6);
}

TEST_CASE("a cell of the row, or a head, that is pressed in the picture is a choice", "[lessons][predict]") {
    PlaygroundState state = state_of("copying", 2);
    PredictionCourse course = course_of(state);
    CHECK_FALSE(choice_in_picture(course, state.view));
    state.view.cell = Cell{.head = 7, .row = 9, .column = 5};  // of another row
    CHECK_FALSE(choice_in_picture(course, state.view));
    state.view.cell = Cell{.head = 7, .row = 10, .column = 5};
    CHECK(choice_in_picture(course, state.view) == 5);
    CHECK_FALSE(choice_in_picture(course, state.view));  // told once

    PlaygroundState heads = state_of("copying", 3);
    course = course_of(heads);
    heads.view.head = 7;
    CHECK(choice_in_picture(course, heads.view) == 7);
    AnswerLog log;
    PlaygroundState next = heads;
    choose(course, log, heads, next, 7);
    CHECK(course.is_right);
    heads.view.head = 2;  // looked at after the choice
    CHECK_FALSE(choice_in_picture(course, heads.view));
}

TEST_CASE("without the model that decides nothing is chosen", "[lessons][predict][model]") {
    const std::shared_ptr<const OpenModel> model = find_open_model("first-words");
    close_model("first-words");
    AnswerLog log;
    {
        const PlaygroundState state = state_of("copying", 2);
        PredictionCourse course = course_of(state, log);
        CHECK(course.choices.empty());
        CHECK(!whole_prediction(state));
        const PlaygroundState order = state_of("off", 6);
        PlaygroundState next = order;
        PredictionCourse of_order = course_of(order, log);
        CHECK(choose(of_order, log, order, next, 0).find("not there yet") != std::string::npos);
        CHECK(of_order.is_open());
        CHECK(log.records().empty());
        keep_model_open(model);
        keep_prediction(course, log, state_of("copying", 2));
        CHECK(course.choices.size() == 11);
    }
}

// Numbers of a twin in double (PyTorch 1.13) on the files of first-words, to six decimals: floats differ by less.
TEST_CASE("claims know logits, of an earlier stream and of patched runs, too", "[lessons][predict][model]") {
    const PlaygroundState state = state_of("votes", 1);
    StepNumbers numbers(state.view, state.inputs);
    const auto is_near = [](StepNumbers& of, std::string_view sum, double value) {
        CAPTURE(sum);
        const std::optional<double> number = of.number(sum);
        REQUIRE(number);
        CHECK(std::abs(*number - value) < 1e-5 * std::max(1.0, std::abs(value)));
    };
    is_near(numbers, "logit artist", 11.677599);
    is_near(numbers, "logit woman", 12.101913);
    is_near(numbers, "logit artist@lens=1", 10.500418);
    is_near(numbers, "next artist@lens=1", 0.868402);
    is_near(numbers, "logit the@lens=0", 17.309483);
    CHECK(numbers.number("next artist@lens=2") == numbers.number("next artist"));
    CHECK_FALSE(numbers.number("logit unicorn"));
    const PlaygroundState patched = state_of("patching", 1);
    StepNumbers patches(patched.view, patched.inputs);
    is_near(patches, "logit see@patch=stream.2@3 - logit sees@patch=stream.2@3", -7.437245);
}

TEST_CASE("claims compare sums of a step's numbers, and of states beside it", "[lessons][predict]") {
    const PlaygroundState state = state_of("cost", 1);
    StepNumbers numbers(state.view, state.inputs);
    CHECK(numbers.number("3 + 4 * 2 - 1") == 13.0);  // from left to right
    CHECK(numbers.number("cells@heads=2 / cells") == 2.0);
    CHECK(numbers.number("learned") == 96.0);
    CHECK(numbers.number("hidden 1,10@mask=causal") == 1.0);
    CHECK(numbers.number("hidden 1,10") == 0.0);
    CHECK_FALSE(numbers.number("next woman"));            // no model
    CHECK_FALSE(numbers.number("weights 1,99,0"));        // no such row
    CHECK_FALSE(numbers.number("weights 1,1,0 + loss"));  // no training
    CHECK(numbers.holds("cells = 121 & heads < 2") == true);
    CHECK(numbers.holds("cells != 121") == false);
    CHECK(numbers.holds("1 > 1") == false);
    CHECK_FALSE(numbers.holds("loss > 0").has_value());
    CHECK(numbers.filled("{cells@heads=2} of {1 / 3}, {loss}") == "242 of 0.3333, …");
    const Evaluation* evaluation = numbers.evaluation();
    REQUIRE(evaluation != nullptr);
    double sum = 0;
    for (int column = 0; column < 11; ++column) sum += *numbers.number(concat("weights 1,3,", column));
    CHECK(std::abs(sum - *numbers.number("sum weights 1,3")) < 1e-12);
    CHECK(numbers.number("sum weights 1,3") == Catch::Approx(1).epsilon(1e-6));
}
