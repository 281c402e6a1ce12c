// The lessons: every step is a legal link that survives the round trip, its words are short, and the printed numbers
// follow where they should.
#include "playground/lessons/lessons.h"
#include "samples.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/golden_json.h"
#include "core/ground/check.h"
#include "core/problems.h"
#include "playground/check/check_course.h"
#include "playground/check/check_me.h"
#include "playground/lessons/printed_check.h"
#include "playground/lessons/step_words.h"
#include "playground/link/blanks.h"
#include "playground/link/legal.h"
#include "playground/link/lesson_links.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "playground/random_states.h"
#include "playground/state/open_models.h"
#include "playground/steps/lesson_table.h"

using namespace attn;
using namespace attn::test;
using nlohmann::json;

namespace {

PlaygroundState state_at(const Lesson& lesson, int step) {
    PlaygroundState state;
    go_to_step(state, lesson, step);
    return state;
}

template <class Visit>
void for_each_step(Visit visit) {
    for (const Lesson& lesson : lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            CAPTURE(lesson.name, lesson.steps[i].title);
            visit(lesson, static_cast<int>(i));
        }
    }
}

const LessonStep& step_at(const Lesson& lesson, int step) {
    return lesson.steps.at(static_cast<std::size_t>(step));
}

PrintedCount count_at(std::string_view lesson, int step) {
    const PlaygroundState state = state_at(*find_lesson(lesson), step);
    return count_printed(check_printed(state.view, evaluate(state.inputs, state.view.sentence)));
}

std::string place_of(const Lesson& lesson, int step) {
    return concat("lesson=", lesson.name, "&step=", step + 1);
}

// Sentences end with a full stop, a question or an exclamation mark before a space or the end.
int count_sentences(std::string_view text) {
    int count = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_end = text[i] == '.' || text[i] == '?' || text[i] == '!' || text[i] == ':';
        if (is_end && text[i] != ':' && (i + 1 == text.size() || text[i + 1] == ' ')) ++count;
    }
    return count;
}

}  // namespace

TEST_CASE("the lessons are there, in their order, each with a name of its own", "[lessons]") {
    std::vector<std::string_view> names;
    for (const Lesson& lesson : lessons()) {
        names.push_back(lesson.name);
        CHECK(find_lesson(lesson.name) == &lesson);
        CHECK_FALSE(lesson.title.empty());
        CHECK(lesson.about.ends_with('.'));
    }
    CHECK(names == std::vector<std::string_view>{"no-weights",    "why-softmax", "dictionary",  "trainable", "scaling",
                                                 "dog-bites-man", "causal",      "masks",       "dropout",   "heads",
                                                 "split",         "batch",       "stacked",     "cost",      "linear",
                                                 "shares",        "one-row",     "sentences",   "twice",     "cache",
                                                 "groups",        "turning",     "fainter",     "latent",    "one-step",
                                                 "way-back",      "readings",    "head-dim",    "saturated", "learned",
                                                 "block",         "next-word",   "votes",       "off",       "copying",
                                                 "layers",        "stream-sum",  "depths",      "patching",  "circuit",
                                                 "bertviz",       "byte-pairs",  "own-sentence"});
    CHECK(find_lesson("causality") == nullptr);
    for (const std::string_view name : names) CHECK(key_info("lesson").legal().find(name) != std::string_view::npos);
}

TEST_CASE("every step says something short", "[lessons]") {
    for_each_step([](const Lesson& lesson, int step) {
        const PlaygroundState state = state_at(lesson, step);
        const std::string_view title = step_at(lesson, step).title;
        const StepWords words = step_words(state, evaluate(state.inputs, state.view.sentence));
        CHECK_FALSE(title.empty());
        CHECK(words.answer.size() <= 120);
        CHECK(count_sentences(words.text) >= 1);
        CHECK(count_sentences(words.text) <= 4);
        CHECK(words.text.size() <= 420);
        for (const std::string_view text : {title, std::string_view(words.answer), std::string_view(words.text)}) {
            CHECK_FALSE(text.starts_with(' '));
            CHECK_FALSE(text.ends_with(' '));
            CHECK(text.find("  ") == std::string_view::npos);
        }
        CHECK_FALSE(step_at(lesson, step).points_at.empty());
    });
}

namespace {

template <class Step>
concept MayLackLink = requires { Step{.title = "A step", .text = "Words."}; };
template <class Step>
concept MayHaveLink = requires { Step{.title = "A step", .link = {{}, "heads=2"}, .text = "Words."}; };

}  // namespace

TEST_CASE("a step cannot have words without a link", "[lessons]") {
    STATIC_REQUIRE_FALSE(MayLackLink<StepText>);
    STATIC_REQUIRE(MayHaveLink<StepText>);
    for_each_step([](const Lesson& lesson, int step) {
        CHECK_FALSE(step_at(lesson, step).link.empty());
        CHECK(step_at(lesson, step).state == read_link(step_at(lesson, step).link).state);
    });
    for (const LessonLinks& links : lesson_links()) CHECK(find_lesson(links.name)->steps.size() == links.links.size());
}

TEST_CASE("a lesson says how long it takes", "[lessons]") {
    const Lesson& causal = *find_lesson("causal");  // nine steps, of which two ask for a number and one for a guess
    CHECK(minutes_of(causal) == 12);
    for (const Lesson& lesson : lessons()) {
        CAPTURE(lesson.name);
        CHECK(minutes_of(lesson) >= 5);
        CHECK(minutes_of(lesson) <= 20);
    }
}

TEST_CASE("every lesson asks at least twice for something that is judged", "[lessons]") {
    for (const Lesson& lesson : lessons()) {
        CAPTURE(lesson.name);
        int num_asked = 0;
        for (const LessonStep& step : lesson.steps) {
            const View& view = step.state.view;
            num_asked += step.asks ? 1 : 0;
            if (view.check.empty()) continue;
            CAPTURE(step.title);
            ++num_asked;
            CHECK(step.printed.empty());  // no answers beside a question
            CHECK(view.check == std::set<TensorId>{view.stage});
            REQUIRE(view.cell);
            const std::vector<Question> questions =
                questions_of(evaluate(step.state.inputs, view.sentence), view.stage, Blanks(step.state));
            CHECK(std::any_of(questions.begin(), questions.end(),
                              [&](const Question& question) { return question.cell() == *view.cell; }));
            CHECK(step.text.find("ype ") != std::string_view::npos);
        }
        CHECK(num_asked >= 2);
    }
}

TEST_CASE("an exercise asks for the number that its words ask for, or for its row", "[lessons][check]") {
    int num_rows = 0;
    for_each_step([&](const Lesson& lesson, int step) {
        const LessonStep& words = step_at(lesson, step);
        const PlaygroundState state = state_at(lesson, step);
        if (state.view.check.empty()) return;
        CAPTURE(lesson.name, step + 1);
        CHECK(is_exercise(state.view));
        const Evaluation evaluation = evaluate(state.inputs, state.view.sentence);
        const std::vector<Question> asked = asked_questions(state, evaluation);
        REQUIRE_FALSE(asked.empty());
        CHECK(asked.front().cell() == *state.view.cell);
        for (const Question& question : asked) {
            CHECK(question.row == state.view.cell->row);
            CHECK(question.head == state.view.cell->head);
        }
        if (asked.size() == 1) return;
        ++num_rows;
        const auto says = [&](const char* word) { return words.text.find(word) != std::string_view::npos; };
        CHECK((says("two") || says("both") || says("three")));
        CHECK(asked.size() <= 3);
    });
    CHECK(num_rows == 7);
}

TEST_CASE("the link that a step is made of is read without a note", "[lessons]") {
    for (const LessonLinks& lesson : lesson_links()) {
        for (const std::string& link : lesson.links) {
            CAPTURE(lesson.name, link);
            CHECK(read_link(link).notes == Notes());
        }
    }
}

TEST_CASE("the link of a step is legal, and lesson and step alone open it", "[lessons][property]") {
    for_each_step([](const Lesson& lesson, int step) {
        const PlaygroundState state = state_at(lesson, step);
        PlaygroundState again = state;
        CHECK(clamp_to_legal(again) == Notes());
        CHECK(again == state);
        const Evaluation evaluation = evaluate(state.inputs, state.view.sentence);
        const std::shared_ptr<const OpenModel> model = open_model_of(state.inputs);
        CHECK(evaluation.notes == (is_trained(state.inputs) ? Notes{evaluation.run->outcome()}
                                   : model                  ? model->notes_on(shown_sentence(state))
                                                            : Notes()));

        const std::string link = place_of(lesson, step);
        CHECK(read_link(link).state == state);
        CHECK(read_link(link).notes == Notes());
        CHECK(write_link(state) == concat("v=1&", link));
        CHECK(step_of(state.view) == &step_at(lesson, step));

        // The same without the lesson.
        PlaygroundState left = state;
        leave_lesson(left.view);
        CHECK(left == step_at(lesson, step).state);
        CHECK(read_link(write_link(left)).state == left);
        CHECK(read_link(write_link(left)).notes == Notes());
    });
}

TEST_CASE("what a visitor changed in a step survives its link", "[lessons][link][property]") {
    Dice dice(23);
    for_each_step([&](const Lesson& lesson, int step) {
        for (int n = 0; n < (takes_all_samples() ? 12 : 2); ++n) {
            // Some fields of the step, some of a random state: also such that take away what the step has.
            PlaygroundState state = state_at(lesson, step);
            PlaygroundState other = n == 0 ? PlaygroundState() : random_state(dice);
            other.view.lesson = state.view.lesson;
            other.view.step = state.view.step;
            for (const KeyInfo& key : key_table()) {
                if (key.repeats || (n > 1 && dice.coin())) continue;
                Notes notes;
                const std::vector<std::string> values = key.write(other);
                key.read(state, values.empty() ? "" : values.front(), notes);
            }
            if (n == 0 || dice.coin()) state.inputs.texts = other.inputs.texts;
            if (n == 0 || dice.coin()) state.inputs.typed = other.inputs.typed;
            if (n == 0 || dice.coin()) state.inputs.edits = other.inputs.edits;
            clamp_to_legal(state);
            const std::string link = write_link(state);
            CAPTURE(link);
            CHECK(read_link(link).state == state);
            CHECK(read_link(link).notes == Notes());
            CHECK(write_link(read_link(link).state) == link);
        }
    });
}

TEST_CASE("other keys are laid over the step, wherever they stand", "[lessons][link]") {
    const Lesson& causal = *find_lesson("causal");
    PlaygroundState expected = state_at(causal, 2);
    expected.inputs.seed = 5;
    CHECK(read_link("lesson=causal&step=3&seed=5").state == expected);
    CHECK(read_link("seed=5&step=3&lesson=causal").state == expected);
    expected = state_at(causal, 2);
    REQUIRE(expected.view.cell);
    expected.view.cell.reset();
    CHECK(read_link("lesson=causal&step=3&cell=").state == expected);

    const Lesson& split = *find_lesson("split");
    expected = state_at(split, 3);
    REQUIRE(expected.inputs.edits.size() == 3 * 36);
    expected.inputs.edits = {{.tensor = TensorId::w_key, .sentence = 0, .row = 1, .column = 2, .value = 7}};
    CHECK(read_link("lesson=split&step=4&edit=w_key[1,2]=7").state == expected);
    expected.inputs.edits.clear();
    CHECK(read_link("lesson=split&step=4&edit=").state == expected);
}

TEST_CASE("a lesson or a step that does not exist is told", "[lessons][link][bad-input]") {
    CHECK(read_link("lesson=causality").state == PlaygroundState());
    CHECK(read_link("lesson=causality&step=3").notes == Notes{"no lesson is called \"causality\""});
    const ReadLink far = read_link("lesson=causal&step=99");
    CHECK(far.state == state_at(*find_lesson("causal"), 8));
    CHECK(far.notes == Notes{"step set to 9: the lesson has 9 steps"});
    CHECK(read_link("lesson=causal").state == state_at(*find_lesson("causal"), 0));
    CHECK(read_link("lesson=causal&step=0").state == state_at(*find_lesson("causal"), 0));
    CHECK(read_link("step=3").state == PlaygroundState());
}

TEST_CASE("a step leaves theme, language and hidden parts alone", "[lessons]") {
    PlaygroundState state;
    state.view.theme = Theme::dark;
    state.view.hide = {"settings"};
    go_to_step(state, *find_lesson("dropout"), 1);
    CHECK(state.view.theme == Theme::dark);
    CHECK(state.view.hide == std::set<std::string>{"settings"});
    CHECK(state.inputs.dropout == 0.5);
}

TEST_CASE("a step that lets the visitor predict does not show what comes out", "[lessons]") {
    const auto state_of = [](const char* lesson, int step) { return state_at(*find_lesson(lesson), step - 1); };
    CHECK(state_of("no-weights", 2).view.hide.contains("values"));                     // the scores
    CHECK(state_of("heads", 4).view.cell == Cell{.head = 0, .row = 10, .column = 0});  // neither “a”
    for (const auto& [lesson, step] : {std::pair("heads", 3), {"one-row", 1}, {"one-row", 3}})
        CHECK(state_of(lesson, step).inputs.mask == Mask::none);  // which the list of targets would tell
    CHECK(state_of("off", 1).view.head == 0);                     // not head 7, whose effect the view tells
}

TEST_CASE("a number that a step leaves blank is blank in this step alone", "[lessons]") {
    const Lesson& votes = *find_lesson("votes");
    PlaygroundState state;
    state.view.hide = {"settings"};
    go_to_step(state, votes, 3);
    CHECK(state.view.hide == std::set<std::string>{"settings", "weights[7,18,*]"});
    go_to_step(state, votes, 4);
    CHECK(state.view.hide == std::set<std::string>{"settings", "weights[1,18,*]"});
    go_to_step(state, votes, 5);
    CHECK(state.view.hide == std::set<std::string>{"settings"});
}

TEST_CASE("a lesson's steps have what the model decides once it is open, and not before", "[lessons][model]") {
    const auto head = [] { return read_link("lesson=votes&step=1").state.view.head; };
    const Lesson& votes = *find_lesson("votes");
    REQUIRE(head() == 6);
    const std::shared_ptr<const OpenModel> model = find_open_model("first-words");
    close_model("first-words");
    CHECK(head() != 6);
    CHECK(step_at(*find_lesson("votes"), 0).state.view.head != 6);
    keep_model_open(model);
    CHECK(head() == 6);
    CHECK(&votes == find_lesson("votes"));
    CHECK(step_at(votes, 0).state.view.head == 6);
}

TEST_CASE("printed numbers follow, but for the worked example's", "[lessons][golden]") {
    int num_tables = 0;
    for_each_step([&](const Lesson& lesson, int step) {
        if (lesson.name == "split") return;
        const PrintedCount count = count_at(lesson.name, step);
        CHECK(count.follow == count.all);
        num_tables += static_cast<int>(step_at(lesson, step).printed.size());
    });
    CHECK(num_tables >= 15);
}

TEST_CASE("the printed blocks of the worked example are the file's, and as many follow as should",
          "[lessons][golden]") {
    const json golden = load_golden("weight-split-3x6.json");
    const json &printed = golden["printed"], &given = golden["recomputed"];
    const json& from_step6 = golden["recomputed_from_printed_step6"];
    // Step (from 1), what was printed, what the method gives by the file; one table, or one a head.
    struct Case {
        int step;
        json printed, computed;
    };
    const auto heads_of = [](const json& whole) {
        json heads = json::array({json::array(), json::array()});
        for (const json& row : whole) {
            for (std::size_t h = 0; h < 2; ++h) heads[h].push_back(json(row.begin() + 3 * h, row.begin() + 3 * h + 3));
        }
        return heads;
    };
    const auto three = [](const json& a, const json& b, const json& c) { return json::array({a, b, c}); };
    const auto joined = [](const json& a, const json& b, const json& c) {
        json all = json::array();
        for (const json& list : {a, b, c}) {
            for (const json& block : list) all.push_back(block);
        }
        return all;
    };
    const std::vector<Case> cases = {
        {5, three(printed["step4_queries"], printed["step4_keys"], printed["step4_values"]),
         three(given["queries"], given["keys"], given["values"])},
        {7, joined(printed["step6_query_per_head"], printed["step6_key_per_head"], printed["step6_value_per_head"]),
         joined(heads_of(given["queries"]), heads_of(given["keys"]), heads_of(given["values"]))},
        {8, printed["step7_scores_per_head"], given["scores_per_head"]},
        {9, printed["step8_weights_per_head"], given["weights_per_head"]},
        {10, printed["step9_context_per_head"], given["context_per_head"]},
        {13, printed["step7_scores_per_head"], from_step6["scores_per_head"]},
        {14, printed["step8_weights_per_head"], from_step6["weights_per_head"]},
        {15, printed["step9_context_per_head"], from_step6["context_per_head"]},
    };
    for (const Case& c : cases) {
        CAPTURE(c.step);
        const std::vector<Printed>& blocks = step_at(*find_lesson("split"), c.step - 1).printed;
        REQUIRE(blocks.size() == c.printed.size());
        int follow = 0, all = 0;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            CHECK(json(blocks[b].numbers) == json(c.printed[b].get<std::vector<std::vector<float>>>()));
            for (std::size_t i = 0; i < c.printed[b].size(); ++i) {
                for (std::size_t k = 0; k < c.printed[b][i].size(); ++k) {
                    ++all;
                    const double difference = c.printed[b][i][k].get<double>() - c.computed[b][i][k].get<double>();
                    if (std::abs(difference) <= 0.505e-4) ++follow;  // half a unit of four decimals, as printed_check
                }
            }
        }
        const PrintedCount count = count_at("split", c.step - 1);
        CHECK(count.all == all);
        CHECK(count.follow == follow);
        CHECK(count.follow < count.all);
    }
}

TEST_CASE("a changed number no longer follows, a missing cell is no number", "[lessons]") {
    PlaygroundState state = state_at(*find_lesson("no-weights"), 3);
    CHECK_FALSE(has_other_numbers(state));
    const auto tables = [&] { return check_printed(state.view, evaluate(state.inputs, state.view.sentence)); };
    CHECK(sentence_of(count_printed(tables())) ==
          "All 36 numbers printed in chapter 3 of “Build a Large Language Model” come out here");
    state.inputs.texts = {"Your journey"};
    const std::vector<PrintedTable> changed = tables();
    REQUIRE(changed.size() == 1);
    CHECK(changed[0].title == "weights");
    CHECK(changed[0].row_labels[1] == "journey");
    CHECK(changed[0].row_labels[2].empty());
    CHECK(changed[0].rows[1][1].exists);
    CHECK_FALSE(changed[0].rows[1][1].follows);
    CHECK_FALSE(changed[0].rows[1][2].exists);
    CHECK(has_other_numbers(state));
    CHECK(sentence_of(count_printed(changed), true).starts_with("You changed this step: 0 of 36 numbers printed in "));
    CHECK(sentence_of(count_printed(changed)).starts_with("0 of 36 numbers printed in "));
    state.inputs.texts = {""};
    CHECK(tables().empty());
}

TEST_CASE("a printed number follows within half a unit of its last digit", "[lessons]") {
    const PlaygroundState state = state_at(*find_lesson("no-weights"), 0);
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const auto follows = [&](float printed, int digits) {
        const Printed block{.stage = TensorId::embeddings, .numbers = {{printed}}, .digits = digits, .source = "test"};
        return check_printed(block, state.view, evaluation).rows[0][0].follows;  // the cell is 0.43
    };
    CHECK(follows(0.43F, 4));
    CHECK(follows(0.43004F, 4));
    CHECK_FALSE(follows(0.4301F, 4));
    CHECK(follows(0.4F, 1));
    CHECK_FALSE(follows(0.5F, 1));
    CHECK(printed_number(-0.0739F, 4) == "−0.0739");
}
