// The words of a check, and its acts: both by the course that the picture goes by.
#include "views/words/check_acts.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/check/check_course.h"
#include "playground/lessons/prediction.h"
#include "playground/lessons/step_words.h"
#include "playground/link/hiding.h"
#include "playground/text/notes.h"
#include "views/stage/place_words.h"

namespace attn {
namespace {

constexpr std::string_view kQuestion = "question=";
constexpr std::string_view kPredict = "predict", kChoice = "predict=", kOrder = "predict=order",
                           kUp = "predict up=", kDown = "predict down=";

bool asks_counts(const PlaygroundState& state) {
    return state.view.view == ViewKind::cache && state.view.asks_counts && !shows_blank(state);
}

// Whether numbers of the shown stage are asked for in this view.
bool asks_numbers(const PlaygroundState& state) {
    return shows_blank(state) && is_asked(state, state.view.stage);
}

CacheSplit shown_split(const PlaygroundState& state, const Evaluation& evaluation) {
    return cache_split(state.view, evaluation.sizes.num_tokens);
}

// "Head 2 · woman → portrait: blank", "...: right"
std::string question_label(const Evaluation& evaluation, const Answers& answers, const Question& question) {
    const Answer* answer = answer_to(answers, question);
    const std::string_view how = answer == nullptr || !(answer->verdict || answer->is_shown) ? "blank"
                                 : answer->is_shown                                          ? "told"
                                 : answer->verdict == Verdict::right                         ? "right"
                                 : answer->verdict == Verdict::wrong                         ? "not right"
                                                                                             : "not judged";
    return concat(question_in_words(evaluation, question), ": ", how);
}

void add_scopes(CheckText& text, const PlaygroundState& state, bool is_open) {
    const std::set<TensorId>& check = state.view.check;
    const TensorId stage = state.view.stage;
    text.scopes = {{concat("check=", tensor_name(stage)), "this stage", is_open && check != std::set<TensorId>{stage}},
                   {"check=all", "whole case", is_open && check != whole_case()}};
}

void add_numbers(CheckText& text, const Session& session, const Evaluation& evaluation) {
    const PlaygroundState& state = session.state();
    const Answers& answers = session.answers();
    const std::vector<Question> questions = asked_questions(state, evaluation);
    if (questions.empty()) {
        text.title = concat(too_many_questions(evaluation, state.view.stage), ".");
        return;
    }
    const std::optional<Question> current = current_question(state, answers, questions);
    for (std::size_t i = 0; i < questions.size(); ++i) {
        text.questions.push_back({concat(kQuestion, i), question_label(evaluation, answers, questions[i])});
        if (questions[i] == current) text.current = static_cast<int>(i);
    }
    PlaygroundState other = state;
    std::vector<Act> others;
    const std::string_view why_none = why_no_new_numbers(state);
    if (take_new_numbers_of_step(other)) others.push_back({"check new", "New numbers"});
    if (!why_none.empty()) others.push_back({"check new", concat("New numbers: ", why_none), false});
    if (!current) {
        text.title = done_in_words(state.view);
        text.acts = std::move(others);
        return;
    }
    const StageWords words = stage_words(current->stage, layer_parts(state.inputs), state.inputs.goal);
    text.title = question_in_words(evaluation, *current);
    text.lines = {concat(stage_info(current->stage).name, " = ", words.formula)};
    const auto add = [&](const std::vector<std::string>& lines) {
        text.lines.insert(text.lines.end(), lines.begin(), lines.end());
    };
    add(needs_of(state, answers, evaluation, *current));
    add(hints_of(state, answers, evaluation, *current));
    const Answer* answer = answer_to(answers, *current);
    text.remark = answer != nullptr && !answer->remark.empty() ? answer->remark : std::string(judging_rule());
    if (!is_solved(answers, *current)) {
        text.field = "answer";
        if (answer != nullptr) text.typed = answer->typed;
        const std::string hint = next_hint_label(answer);
        if (!hint.empty()) text.acts.push_back({"check hint", hint});
        text.acts.push_back({"check show", "Show answer"});
    }
    text.acts.push_back({"check next", "Next question", question_after(questions, answers, *current).has_value()});
    text.acts.insert(text.acts.end(), others.begin(), others.end());
}

// A lesson asks for one count alone.
void add_counts(CheckText& text, const View& view, const CacheCheck& check) {
    if (check.questions.empty()) return;
    const bool is_asked_by_lesson = is_exercise(view);
    text.title = is_asked_by_lesson ? check.question().asks
                                    : concat("Question ", check.current + 1, " of ", check.questions.size(), ": ",
                                             check.question().asks);
    if (check.num_hints > 0) text.lines = {check.question().hint};
    text.remark = check.remark;
    if (check.is_solved) {
        if (is_asked_by_lesson) {
            text.remark += concat(" ", done_in_words(view));
        } else {
            text.acts = {{"count next", "Next"}};
        }
        return;
    }
    text.field = "count answer";
    text.acts = {{"count hint", "Hint", check.num_hints == 0}, {"count show", "Show answer"}};
}

// The question that comes next, as a sentence.
std::string next_in_words(const View& view, const Evaluation& evaluation, const std::optional<Question>& next) {
    return next ? concat(" Next: ", question_in_words(evaluation, *next), ".") : concat(" ", done_in_words(view));
}

std::string act_on_count(Session& session, PlaygroundState& next, std::string_view name, std::string_view typed) {
    CacheCheck& check = session.cache_check();
    AnswerLog& log = session.answers().log;
    if (check.questions.empty()) return {};
    if (name == "count next") {
        next_count(check);
        return check.question().asks;
    }
    if (check.is_solved) return check.remark;
    if (name == "count answer") answer_count(next.view, check, log, typed);
    if (name == "count show") show_count(next.view, check, log);
    if (name != "count hint") return check.remark;
    hint_count(next.view, check, log);
    return check.question().hint;
}

std::string act_on_question(Session& session, const PlaygroundState& state, PlaygroundState& next,
                            const Evaluation& evaluation, std::string_view name, std::string_view typed) {
    Answers& answers = session.answers();
    const std::vector<Question> questions = asked_questions(state, evaluation);
    const std::optional<Question> current = current_question(state, answers, questions);
    const auto go_to = [&](const Question& question) { next.view.cell = question.cell(); };
    if (name.starts_with(kQuestion)) {
        std::size_t index = questions.size();
        const std::string_view number = name.substr(kQuestion.size());
        std::from_chars(number.data(), number.data() + number.size(), index);
        if (index >= questions.size()) return {};
        go_to(questions[index]);
        return question_label(evaluation, answers, questions[index]);
    }
    if (!current) return {};
    if (name == "check next") {
        const std::optional<Question> after = question_after(questions, answers, *current);
        if (after) go_to(*after);
        return after ? question_label(evaluation, answers, *after) : std::string();
    }
    if (name == "check hint") {
        take_hint(next, answers, evaluation, *current);
        const std::vector<std::string> hints = hints_of(state, answers, evaluation, *current);
        return hints.empty() ? std::string() : hints.back();
    }
    if (name == "check show") show_answer(next, answers, evaluation, *current);
    if (name == "answer") answer(next, answers, evaluation, *current, typed);
    const Answer* given = answer_to(answers, *current);
    std::string said = given == nullptr ? std::string() : given->remark;
    if (name == "answer" && is_solved(answers, *current)) {
        const std::optional<Question> after = question_after(questions, answers, *current);
        if (after) go_to(*after);
        said += next_in_words(state.view, evaluation, after);
    }
    return said;
}

// "without head 2: one place up"
void add_order(AskedText& text, const PredictionCourse& course) {
    const auto count = course.choices.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& says = course.choices[i].says;
        text.order.push_back(says);
        text.choices.push_back({concat(kUp, i + 1), concat(says, ": one place up"), !course.is_right && i > 0});
        text.choices.push_back(
            {concat(kDown, i + 1), concat(says, ": one place down"), !course.is_right && i + 1 < count});
    }
    text.choices.push_back({std::string(kOrder), "This is my order", !course.is_right});
}

// The place, from 0, of a name that counts from 1; -1 where it has no number.
int place_behind(std::string_view name, std::string_view prefix) {
    int number = 0;
    name.remove_prefix(prefix.size());
    std::from_chars(name.data(), name.data() + name.size(), number);
    return std::max(number, 0) - 1;
}

std::string act_on_prediction(Session& session, const PlaygroundState& state, PlaygroundState& next,
                              std::string_view name) {
    PredictionCourse& course = session.prediction();
    if (!course.is_asked()) return {};
    if (name.starts_with(kUp)) return move_choice(course, place_behind(name, kUp), -1);
    if (name.starts_with(kDown)) return move_choice(course, place_behind(name, kDown), 1);
    const int choice = name == kOrder ? 0 : place_behind(name, kChoice);
    return choose(course, session.answers().log, state, next, choice);
}

}  // namespace

AskedText asked_text(const Session& session) {
    AskedText text;
    const PredictionCourse& course = session.prediction();
    const PredictionRow* row = asked_row(session.state().view);
    if (row == nullptr || !course.is_asked()) return text;
    text.question = row->question;
    text.said = course.choices.empty() ? "The model is still being read." : course.said;
    if (row->kind == PredictionKind::order) {
        add_order(text, course);
        return text;
    }
    for (int i = 0; i < static_cast<int>(course.choices.size()); ++i)
        text.choices.push_back({concat(kChoice, i + 1), choice_in_words(course, i), !course.is_right});
    return text;
}

CheckText check_text(const Session& session, const Evaluator& evaluator) {
    CheckText text;
    const PlaygroundState& state = session.state();
    const Evaluation& evaluation = evaluator.shown();
    if (evaluation.is_empty() || !evaluation.is_complete()) return text;
    const bool is_open = !locks_control(state.view, "check");
    const bool is_on = is_asking(state.view);
    if (!hides_part(state.view, "check")) {
        text.toggle = Act{"check", is_on ? "Stop check" : "Check me", is_open && can_toggle_check(state, evaluation)};
        text.help = concat(toggle_check_help(state.view), ".");
    }
    if (asks_counts(state)) {
        add_counts(text, state.view, session.cache_check());
    } else if (asks_numbers(state)) {
        if (!is_exercise(state.view)) add_scopes(text, state, is_open);
        add_numbers(text, session, evaluation);
    } else if (shows_blank(state)) {
        text.title = gives_away_in_words(state);
        if (!locks_control(state.view, "view")) text.acts = {{"check numbers", "Back to the numbers"}};
    }
    if (is_on && state.view.score) text.score = concat("Score: ", score_text(*state.view.score));
    return text;
}

void keep_checks(Session& session, const Evaluator& evaluator) {
    const PlaygroundState& state = session.state();
    const Evaluation& evaluation = evaluator.shown();
    keep_prediction(session.prediction(), session.answers().log, state);
    if (evaluation.is_empty() || !evaluation.is_complete()) return;
    if (asks_numbers(state)) keep_answers(session.answers(), state);
    if (asks_counts(state))
        keep_cache_check(session.cache_check(), session.answers().log, evaluator.inputs(), state.view, evaluation.sizes,
                         shown_split(state, evaluation));
}

std::string do_check_act(Session& session, const PlaygroundState& state, PlaygroundState& next,
                         const Evaluator& evaluator, std::string_view name, std::string_view typed) {
    const Evaluation& evaluation = evaluator.shown();
    keep_checks(session, evaluator);
    const bool is_locked = locks_control(state.view, name == "check numbers" ? "view" : "check");
    if (is_locked && (name == "check" || name == "check numbers" || name.starts_with("check="))) return {};
    if (name == "check numbers") {
        next.view.view = ViewKind::matrix;
        return {};
    }
    if (name == "check") {
        if (hides_part(state.view, "check") || !can_toggle_check(state, evaluation)) return {};
        const Notes problem = toggle_check(next, session.answers(), state, evaluation);
        if (!problem.empty()) return concat(problem.front(), ".");
        return is_asking(next.view) ? "The numbers are blank now." : "The numbers are shown again.";
    }
    if (name.starts_with(kPredict)) return act_on_prediction(session, state, next, name);
    if (name.starts_with("count")) return asks_counts(state) ? act_on_count(session, next, name, typed) : std::string();
    if (!asks_numbers(state)) return {};
    if (name == "check=all") next.view.check = whole_case();
    if (name == concat("check=", tensor_name(state.view.stage))) next.view.check = {state.view.stage};
    if (name.starts_with("check=")) return {};
    if (name == "check new") {
        PlaygroundState other = state;
        if (!take_new_numbers_of_step(other)) return {};
        next.inputs = std::move(other.inputs);
        return "These are new numbers.";
    }
    return act_on_question(session, state, next, evaluation, name, typed);
}

}  // namespace attn
