// The log of answers: what a try, a hint and an answer told leave in it, what comes back, and how two windows are
// merged.
#include "playground/check/answer_log.h"

#include <catch_amalgamated.hpp>

#include "core/explain/stage_numbers.h"
#include "playground/cache/cache_check.h"
#include "playground/check/answers.h"
#include "playground/check/check_course.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"

using namespace attn;

namespace {

// Somebody who walks through steps and answers what they ask.
struct Student {
    explicit Student(const std::string& link) { go_to(link); }
    void go_to(const std::string& link) {
        state = read_link(link).state;
        evaluation = evaluate(state.inputs, state.view.sentence);
        if (is_asking(state.view)) keep_answers(answers, state);
    }
    Question asked() const { return asked_questions(state, evaluation).front(); }
    std::string right(const Question& question) const {
        const Vector row =
            stage_row(*evaluation.problem, evaluation.trace, question.stage, question.head, question.row);
        return exact_number(static_cast<double>(row(question.column)));
    }
    void type(const std::string& typed) { answer(state, answers, evaluation, asked(), typed); }
    const std::vector<AnswerRecord>& records() const { return answers.log.records(); }

    PlaygroundState state;
    Answers answers;
    Evaluation evaluation;
};

const std::string kStep = "lesson=causal&step=8";

AnswerRecord record_of(const std::string& question, int tries, std::int64_t last) {
    return {.place = {.lesson = "causal", .step = 7, .question = question, .numbers = "v=1"},
            .asked = question,
            .typed = {},
            .tries = tries,
            .mistakes = {},
            .first = 1,
            .last = last};
}

}  // namespace

TEST_CASE("tries, hints and the named slip stand in the log, the same answer twice once", "[check][log]") {
    Student student(kStep);
    REQUIRE(is_exercise(student.state.view));
    student.type("0.3333");
    student.type("0.3333");
    student.type("no number");
    student.type("0.1");  // coarse, and wrong
    take_hint(student.state, student.answers, student.evaluation, student.asked());
    student.type(student.right(student.asked()));
    student.type("7.25");  // it is done
    REQUIRE(student.records().size() == 1);
    const AnswerRecord& record = student.records().front();
    CHECK(record.place.lesson == "causal");
    CHECK(record.place.step == 7);
    CHECK(record.place.question == question_in_log(student.asked()));
    CHECK(record.place.numbers == "v=1&lesson=causal&step=8");
    CHECK(record.tries == 3);
    CHECK(record.right_at == 3);
    CHECK(record.hints == 1);
    CHECK_FALSE(record.is_told);
}

TEST_CASE("a named slip is kept with the question", "[check][log]") {
    Student student("text=free speech&heads=1&check=scaled_scores&stage=scaled_scores");
    const Question question = {.stage = TensorId::scaled_scores, .head = 0, .row = 1, .column = 0};
    const Matrix scores = shown_matrix(student.evaluation, TensorId::scores, 0);
    answer(student.state, student.answers, student.evaluation, question,
           exact_number(static_cast<double>(scores(1, 0))));
    REQUIRE(student.records().size() == 1);
    REQUIRE(student.records().front().mistakes.size() == 1);
    CHECK(student.records().front().mistakes.front().starts_with("forget to divide by"));
    CHECK(student.records().front().asked == "scaled, head 1, speech → free");
    CHECK(student.records().front().place.question == "scaled_scores[1,1,0]");
}

TEST_CASE("an answer comes back with its step, and only there", "[check][log]") {
    Student student(kStep);
    const Question question = student.asked();
    student.type("0.25");
    student.type(student.right(question));
    CHECK(student.state.view.score == Score{.right = 1, .asked = 1});
    student.go_to("lesson=causal&step=9");
    student.go_to("lesson=dropout&step=6");
    student.go_to(kStep);
    CHECK(is_solved(student.answers, question));
    student.go_to(kStep + "&seed=7");
    CHECK_FALSE(is_solved(student.answers, question));
    student.type("0.1");
    CHECK(student.records().back().place.numbers == "v=1&seed=7&lesson=causal&step=8");
    // In a new visit, with what the last one left; its link has the score already.
    Student later(kStep + "&score=1/1/0");
    CHECK_FALSE(is_solved(later.answers, question));
    later.answers.log.merge(student.records());
    CHECK_FALSE(keep_answers(later.answers, later.state));
    CHECK(is_solved(later.answers, question));
    CHECK(score_of(later.answers) == Score{.right = 1, .asked = 1});
    CHECK(later.answers.given.at(question).typed == student.records().front().typed);
}

TEST_CASE("what was cleared is open again", "[check][log]") {
    Student student(kStep);
    show_answer(student.state, student.answers, student.evaluation, student.asked());
    REQUIRE(student.records().size() == 1);
    CHECK(student.records().front().is_told);
    student.answers.log.clear("heads");
    CHECK(student.records().size() == 1);
    student.answers.log.clear("causal");
    CHECK(student.records().empty());
    keep_answers(student.answers, student.state);
    CHECK_FALSE(is_solved(student.answers, student.asked()));
}

TEST_CASE("beginning a check anew forgets no record", "[check][log]") {
    Student student("text=free speech&check=weights");
    student.type("0.77");
    start_check(student.state, student.answers, {TensorId::weights});
    CHECK(student.answers.given.empty());
    CHECK(student.records().size() == 1);
    stop_check(student.state, student.answers);
    CHECK(student.records().size() == 1);
}

TEST_CASE("a lesson's count comes back", "[check][log]") {
    const PlaygroundState state = read_link("view=cache&prompt=2&at=1&text=one two three four").state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const CacheSplit split = cache_split(state.view, evaluation.sizes.num_tokens);
    AnswerLog log;
    CacheCheck check;
    View view = state.view;
    keep_cache_check(check, log, state.inputs, view, evaluation.sizes, split);
    answer_count(view, check, log, "123456");
    hint_count(view, check, log);
    answer_count(view, check, log, concat(check.question().number));
    REQUIRE(log.records().size() == 1);
    CHECK(log.records().front().right_at == 2);
    CHECK(log.records().front().hints == 1);
    CacheCheck later;
    keep_cache_check(later, log, state.inputs, view, evaluation.sizes, split);
    CHECK(later.is_solved);
    view.prompt = 1;
    keep_cache_check(later, log, state.inputs, view, evaluation.sizes, cache_split(view, 4));
    CHECK_FALSE(later.is_solved);
}

TEST_CASE("of two windows the record that tells of more stays", "[check][log]") {
    AnswerLog log;
    log.merge({record_of("a", 1, 5), record_of("b", 2, 5)});
    const int replaced = log.num_replaced();
    log.merge({record_of("a", 3, 4), record_of("b", 1, 9), record_of("c", 1, 9)});
    REQUIRE(log.records().size() == 3);
    CHECK(log.find(record_of("a", 0, 0).place)->tries == 3);
    CHECK(log.find(record_of("b", 0, 0).place)->tries == 2);
    CHECK(log.num_replaced() == replaced + 1);
    log.merge(log.records());
    CHECK(log.num_replaced() == replaced + 1);  // nothing new
}

TEST_CASE("times are told once for what was answered in between", "[check][log]") {
    AnswerLog log;
    const AnswerPlace place = record_of("a", 0, 0).place;
    log_try(log, place, "a", "1", false, "");
    CHECK(log.find(place)->first == 0);
    log.stamp(1000);
    log.stamp(2000);
    CHECK(log.find(place)->last == 1000);
    log_try(log, place, "a", "2", true, "");
    log.stamp(3000);
    CHECK(log.find(place)->first == 1000);
    CHECK(log.find(place)->last == 3000);
    log_try(log, place, "a", "3", false, "");
    log.stamp(4000);
    CHECK(log.find(place)->last == 3000);
}

TEST_CASE("a log has an end, and strangers' records are made possible", "[check][log][bad-input]") {
    AnswerLog log;
    std::vector<AnswerRecord> many;
    for (std::size_t i = 0; i < AnswerLog::kMaxRecords + 5; ++i)
        many.push_back(record_of(concat("q", i), 1, 10 + static_cast<std::int64_t>(i)));
    many.front().right_at = 77;
    many.back().place.lesson.clear();  // outside lessons there are no steps
    many.front().hints = -4;
    many.front().asked = std::string(199, 'x') + "ä";
    many.front().mistakes.assign(50, "m");
    log.merge(many);
    CHECK(log.records().size() == AnswerLog::kMaxRecords);
    const AnswerRecord& first = log.records().front();
    CHECK(first.right_at == 1);
    AnswerLog outside;
    outside.merge({many.back()});
    CHECK(outside.records().front().place.step == 0);
    CHECK(first.hints == 0);
    CHECK(first.asked == std::string(199, 'x'));
    CHECK(first.mistakes.size() == AnswerLog::kMaxMistakes);
    log_try(log, record_of("new", 0, 0).place, "new", "1", true, "");
    CHECK(log.records().size() == AnswerLog::kMaxRecords);
    CHECK(log.find(many.front().place) == nullptr);  // answered longest ago
    CHECK(log.find(record_of("new", 0, 0).place) != nullptr);
    const std::string text(200'000, 'a');
    const AnswerPlace place =
        answer_place(View(), read_link(concat("text=", text)).state.inputs, 0, std::string("weights[1,0,0]"));
    CHECK(place.numbers.starts_with("long-"));
}
