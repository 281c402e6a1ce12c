// Finds lessons and goes through their steps. Their texts are in steps/lessons_*.cpp.
#include "playground/lessons/lessons.h"

#include <algorithm>
#include <limits>
#include <list>
#include <optional>
#include <set>
#include <utility>

#include "core/ground/check.h"
#include "playground/link/link_text.h"
#include "playground/link/own_task.h"
#include "playground/link/state_url.h"
#include "playground/state/open_models.h"
#include "playground/steps/lesson_table.h"
#include "playground/text/format.h"

namespace attn {
namespace {

// "1,2;3,4", "-inf" for a hidden key.
std::vector<std::vector<float>> read_numbers(std::string_view text) {
    std::vector<std::vector<float>> rows;
    while (!text.empty()) {
        std::vector<float>& row = rows.emplace_back();
        for (std::string_view rest = take_until(text, ';'); !rest.empty();) {
            const std::string_view number = take_until(rest, ',');
            const std::optional<double> value =
                number == "-inf" ? -std::numeric_limits<double>::infinity() : parse_number(number);
            ATTN_CHECK(value, "no number: ", number);
            row.push_back(static_cast<float>(*value));
        }
    }
    return rows;
}

// The first lesson of each group.
struct GroupBegin {
    std::string_view first, title;
};
constexpr GroupBegin kGroups[] = {{"no-weights", "The lectures"},
                                  {"twice", "Cache and variants"},
                                  {"one-step", "Training"},
                                  {"learned", "Trained models"}};

// The group of the lesson `name` that comes after lessons of the group `before`.
std::string_view group_after(std::string_view before, std::string_view name) {
    for (const GroupBegin& group : kGroups) {
        if (group.first == name) return group.title;
    }
    return before;
}

// What a step asks, and the empty line behind it.
PredictionRow read_row(std::string_view kind, std::string_view& rest) {
    PredictionRow row;
    row.kind = static_cast<PredictionKind>(kKindDigits.find(kind));
    for (std::string_view* text : {&row.question, &row.of, &row.why, &row.reason}) *text = take_until(rest, '\n');
    for (std::string_view says = take_until(rest, '\n'); !says.empty(); says = take_until(rest, '\n')) {
        const std::string_view claim = take_until(rest, '\n');
        row.choices.push_back({.says = says, .claim = claim, .why = take_until(rest, '\n')});
    }
    return row;
}

std::vector<LessonStep> make_steps(const PackedSteps& packed) {
    std::vector<LessonStep> steps;
    for (std::string_view rest = packed.words; !rest.empty();) {
        LessonStep& step = steps.emplace_back();
        step.title = take_until(rest, '\n');
        step.answer_before = take_until(rest, '\n');
        step.text = take_until(rest, '\n');
        for (std::string_view names = take_until(rest, '\n'); !names.empty();)
            step.points_at.push_back(take_until(names, ' '));
        for (std::string_view sentences = take_until(rest, '\n'); !sentences.empty();)
            step.keep.push_back(take_until(sentences, '|'));
        if (const std::string_view kind = take_until(rest, '\n'); !kind.empty()) step.asks = read_row(kind, rest);
    }
    for (const PackedSteps::PrintedAt& place : packed.printed) {
        for (const PrintedText& printed : place.printed) {
            steps[place.step].printed.push_back({.of = printed.of,
                                                 .stage = printed.stage,
                                                 .head = printed.head,
                                                 .row = printed.row,
                                                 .numbers = read_numbers(printed.numbers),
                                                 .source = printed.source});
        }
    }
    return steps;
}

std::vector<Lesson> make_lessons() {
#define ATTN_WORDS_OF_LESSON(name) name##_words(),
    const LessonText texts[] = {ATTN_LESSONS(ATTN_WORDS_OF_LESSON)};
#undef ATTN_WORDS_OF_LESSON
    const std::span<const LessonLinks> links = lesson_links();
    std::vector<Lesson> all;
    for (std::size_t l = 0; l < links.size(); ++l) {
        const std::string_view before = all.empty() ? std::string_view() : all.back().group;
        Lesson& lesson = all.emplace_back();
        lesson = {.name = links[l].name,
                  .title = texts[l].title,
                  .group = group_after(before, links[l].name),
                  .about = texts[l].about,
                  .steps = make_steps(texts[l].steps)};
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) lesson.steps[i].link = links[l].links[i];
    }
    return all;
}

void take_states(Lesson& lesson) {
    const std::span<const PlaygroundState> states = step_states(lesson.name);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) lesson.steps[i].state = states[i];
}

// A task as a lesson, whose texts are the task's.
struct OwnLesson {
    std::string name;
    OwnTask task;
    Lesson lesson;
    std::optional<int> states_of;  // num_model_changes() when the states were taken
};

PredictionRow row_of_choices(const OwnStep& step) {
    PredictionRow row;
    row.question = step.question;
    row.reason = step.reason;
    for (const OwnStep::Choice& choice : step.choices)
        row.choices.push_back({.says = choice.says, .claim = choice.is_right ? kAlways : kNever, .why = choice.why});
    return row;
}

void make_own_lesson(OwnLesson& own) {
    own.lesson = {.name = own.name, .title = own.task.title, .group = kOwnGroup, .about = own.task.about, .steps = {}};
    std::string_view answer_before;
    for (const OwnStep& step : own.task.steps) {
        LessonStep& made = own.lesson.steps.emplace_back();
        made.title = step.title;
        made.answer_before = std::exchange(answer_before, step.answer);
        made.text = step.text;
        if (!step.question.empty()) made.asks = row_of_choices(step);
        made.link = step.link;
    }
    if (!own.task.keep.empty()) own.lesson.steps.back().keep.push_back(own.task.keep);
}

[[gnu::noinline]] const Lesson* find_own_lesson(std::string_view name) {
    constexpr std::size_t kKept = 8;
    static std::list<OwnLesson> kept;
    auto place = std::ranges::find(kept, name, &OwnLesson::name);
    if (place == kept.end()) {
        const OwnTask* task = own_task(name);
        if (task == nullptr) return nullptr;
        if (kept.size() >= kKept) kept.pop_front();
        kept.push_back({.name = std::string(name), .task = *task, .lesson = {}, .states_of = {}});
        place = std::prev(kept.end());
        make_own_lesson(*place);
    }
    if (std::exchange(place->states_of, num_model_changes()) != num_model_changes()) take_states(place->lesson);
    return &place->lesson;
}

}  // namespace

std::span<const Lesson> lessons() {
    static std::vector<Lesson> table = make_lessons();
    static std::optional<int> states_of;  // num_model_changes() when the states were taken
    if (std::exchange(states_of, num_model_changes()) != num_model_changes()) {
        for (Lesson& lesson : table) take_states(lesson);
    }
    return table;
}

const Lesson* find_lesson(std::string_view name) {
    if (is_task(name)) return find_own_lesson(name);
    const std::span<const Lesson> all = lessons();
    const auto place = std::find_if(all.begin(), all.end(), [&](const Lesson& lesson) { return lesson.name == name; });
    return place == all.end() ? nullptr : &*place;
}

const Lesson* lesson_of(const View& view) {
    return view.lesson.empty() ? nullptr : find_lesson(view.lesson);
}

const LessonStep* step_of(const View& view) {
    const Lesson* lesson = lesson_of(view);
    return lesson == nullptr ? nullptr : &lesson->steps.at(static_cast<std::size_t>(view.step));
}

std::string link_of_step(const Lesson& lesson, int step) {
    return concat("lesson=", encode_form(lesson.name), "&step=", step + 1);
}

int minutes_of(const Lesson& lesson) {
    const auto asked = std::count_if(lesson.steps.begin(), lesson.steps.end(), [](const LessonStep& step) {
        return step.asks || !step.state.view.check.empty();
    });
    return static_cast<int>(lesson.steps.size()) + static_cast<int>(asked);
}

void go_to_step(PlaygroundState& state, const Lesson& lesson, int step) {
    ATTN_CHECK(step >= 0 && step < static_cast<int>(lesson.steps.size()), "step is ", step, " of ", lesson.name);
    PlaygroundState next = lesson.steps[static_cast<std::size_t>(step)].state;
    next.view.theme = state.view.theme;
    next.view.lang = state.view.lang;
    std::set<std::string> hidden = state.view.hide;  // what the step that is left hid comes back
    if (const LessonStep* left = step_of(state.view)) {
        for (const std::string& name : left->state.view.hide) hidden.erase(name);
    }
    next.view.hide.merge(hidden);
    next.view.lesson = lesson.name;
    next.view.step = step;
    state = std::move(next);
}

}  // namespace attn
