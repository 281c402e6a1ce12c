// Reads and writes tasks as lines, and holds them to their limits.
#include "playground/link/own_task.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/fingerprint.h"
#include "core/words/code_points.h"
#include "playground/link/link_text.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr std::string_view kTask = "task";  // no lesson of ours begins so and goes on with a digit
constexpr std::string_view kVersion = "1";
constexpr std::string_view kTaskEnd = "end";
constexpr std::size_t kKeptTasks = 8;
constexpr int kLogDigits = 8;  // of the fingerprint

// A text of a task with the most bytes that it may have.
struct Limited {
    std::string_view name;  // "its text"
    const std::string& text;
    std::size_t most;
};

std::string too_long(const Limited& one) {
    if (one.text.size() <= one.most) return {};
    return concat(one.name, " has ", with_thousands(static_cast<std::int64_t>(one.text.size())), " bytes; at most ",
                  with_thousands(static_cast<std::int64_t>(one.most)), " fit");
}

std::string first_too_long(std::span<const Limited> texts) {
    for (const Limited& one : texts) {
        std::string sentence = too_long(one);
        if (!sentence.empty()) return sentence;
    }
    return {};
}

// Calls visit(key, value), decoded, with each pair of a link.
template <class Visit>
void for_each_key(std::string_view link, Visit visit) {
    for (std::string_view query = query_of(link); !query.empty();) {
        std::string_view value = take_until(query, '&');
        const std::string key = decode_form(take_until(value, '='));
        visit(std::string_view(key), decode_form(value));
    }
}

// A state in a task is a state alone: a task inside a task would be read without end. B may be a step of ours.
std::string why_no_step_link(std::string_view link) {
    std::string why;
    for_each_key(link, [&](std::string_view key, const std::string& value) {
        if (key == "lesson" || key == "step")
            why = "its link names a lesson: leave the lesson first, and take the link of what remains";
        if (key != "compare") return;
        for_each_key(value, [&](std::string_view inner, const std::string& lesson) {
            if (inner == "lesson" && is_task(lesson)) why = "its link compares with a task: compare with a plain state";
        });
    });
    return why;
}

std::string why_no_choices(const OwnStep& step) {
    if (step.question.empty()) return step.choices.empty() ? "" : "it has choices and no question";
    if (step.choices.size() < 2) return "its question has fewer than two choices";
    if (step.choices.size() > kMaxTaskChoices)
        return concat("its question has ", step.choices.size(), " choices; at most ", kMaxTaskChoices, " fit");
    if (std::ranges::none_of(step.choices, &OwnStep::Choice::is_right)) return "none of its choices is right";
    for (auto choice = step.choices.begin(); choice != step.choices.end(); ++choice) {
        if (trimmed(choice->says).empty()) return "a choice is empty";
        const auto is_twin = [&](const OwnStep::Choice& other) { return other.says == choice->says; };
        if (std::any_of(step.choices.begin(), choice, is_twin))
            return concat("two choices say ", quoted(choice->says), "; each must say something else");
        const Limited texts[] = {{"a choice", choice->says, kMaxTaskTitle}, {"a why", choice->why, kMaxTaskSentence}};
        std::string why = first_too_long(texts);
        if (!why.empty()) return why;
    }
    return {};
}

std::string why_no_step(const OwnStep& step) {
    if (trimmed(step.title).empty()) return "it has no title";
    if (trimmed(step.text).empty()) return "it has no text";
    const Limited texts[] = {
        {"its title", step.title, kMaxTaskTitle},      {"its link", step.link, kMaxTaskStepLink},
        {"its text", step.text, kMaxTaskText},         {"its answer", step.answer, kMaxTaskSentence},
        {"its hint", step.hint, kMaxTaskSentence},     {"its question", step.question, kMaxTaskSentence},
        {"its reason", step.reason, kMaxTaskSentence},
    };
    std::string why = first_too_long(texts);
    if (why.empty()) why = why_no_step_link(step.link);
    return why.empty() ? why_no_choices(step) : why;
}

// The texts of a step that has a line each, in their order.
auto lines_of(auto& step) {
    return std::array{&step.title, &step.link, &step.text, &step.answer, &step.hint, &step.question};
}

// Takes lines off the front of a value; knows whether there were enough.
class LineTaker {
public:
    explicit LineTaker(std::string_view text) : rest_(text) {}

    std::string take() {
        is_cut_ = is_cut_ || rest_.empty();
        return one_line(take_until(rest_, '\n'));
    }
    bool is_at_end() const { return rest_ == kTaskEnd; }
    void damage() { is_cut_ = true; }
    bool is_cut() const { return is_cut_; }

private:
    std::string_view rest_;
    bool is_cut_ = false;
};

OwnStep take_step(LineTaker& lines) {
    OwnStep step;
    for (std::string* line : lines_of(step)) *line = lines.take();
    if (step.question.empty()) return step;
    step.reason = lines.take();
    for (std::string says = lines.take(); !says.empty(); says = lines.take()) {
        const bool is_right = says.front() == '=';
        if (!is_right && says.front() != '-') lines.damage();
        step.choices.push_back({.says = says.substr(1), .why = lines.take(), .is_right = is_right});
    }
    return step;
}

Result<OwnTask> refused_task(std::string sentence) {
    return Result<OwnTask>::failure(std::move(sentence));
}

struct KeptTask {
    std::string lesson;
    OwnTask task;
};

}  // namespace

bool is_task(std::string_view lesson) {
    return lesson.size() > kTask.size() && lesson.starts_with(kTask) && lesson[kTask.size()] >= '0' &&
           lesson[kTask.size()] <= '9';
}

std::string why_no_task(const OwnTask& task) {
    if (trimmed(task.title).empty()) return "the task has no title";
    const Limited texts[] = {{"the task’s title", task.title, kMaxTaskTitle},
                             {"what the task is about", task.about, kMaxTaskSentence},
                             {"what to keep of the task", task.keep, kMaxTaskSentence}};
    std::string why = first_too_long(texts);
    if (!why.empty()) return why;
    if (task.steps.empty()) return "the task has no steps";
    if (task.steps.size() > kMaxTaskSteps)
        return concat("the task has ", task.steps.size(), " steps; at most ", kMaxTaskSteps, " fit");
    for (std::size_t i = 0; i < task.steps.size(); ++i) {
        why = why_no_step(task.steps[i]);
        if (!why.empty()) return concat("step ", i + 1, ": ", why);
    }
    const std::size_t size = write_task(task).size();
    if (size <= kMaxTaskBytes) return {};
    return concat("the task has ", with_thousands(static_cast<std::int64_t>(size)), " bytes; at most ",
                  with_thousands(static_cast<std::int64_t>(kMaxTaskBytes)), " fit");
}

std::string write_task(const OwnTask& task) {
    std::string text = concat(kTask, kVersion, "\n");
    const auto put = [&](std::string_view line) { text += concat(one_line(line), "\n"); };
    for (const std::string* line : {&task.title, &task.about, &task.keep}) put(*line);
    for (const OwnStep& step : task.steps) {
        for (const std::string* line : lines_of(step)) put(*line);
        if (step.question.empty()) continue;
        put(step.reason);
        for (const OwnStep::Choice& choice : step.choices) {
            put(concat(choice.is_right ? "=" : "-", choice.says));
            put(choice.why);
        }
        put("");
    }
    return text + std::string(kTaskEnd);
}

Result<OwnTask> read_task(std::string_view lesson) {
    if (lesson.size() > kMaxTaskBytes)
        return refused_task(concat("the task has more than ", with_thousands(kMaxTaskBytes), " bytes"));
    std::string_view rest = lesson;
    const std::string_view version = take_until(rest, '\n').substr(kTask.size());
    if (version != kVersion)
        return refused_task(concat("the task is of version ", quoted(version), "; this page reads version ", kVersion,
                                   ": open it with a newer one"));
    LineTaker lines(rest);
    OwnTask task;
    for (std::string* line : {&task.title, &task.about, &task.keep}) *line = lines.take();
    while (!lines.is_at_end() && !lines.is_cut()) {
        if (task.steps.size() > kMaxTaskSteps) break;  // why_no_task says so
        task.steps.push_back(take_step(lines));
    }
    if (lines.is_cut()) return refused_task("the link of the task was cut: copy it whole, or open the task’s file");
    std::string why = why_no_task(task);
    if (!why.empty()) return refused_task(std::move(why));
    return task;
}

const OwnTask* own_task(std::string_view lesson) {
    static std::list<KeptTask> kept;
    if (!is_task(lesson)) return nullptr;
    const auto place = std::ranges::find(kept, lesson, &KeptTask::lesson);
    if (place != kept.end()) return &place->task;
    Result<OwnTask> task = read_task(lesson);
    if (!task) return nullptr;
    if (kept.size() >= kKeptTasks) kept.pop_front();
    return &kept.emplace_back(KeptTask{std::string(lesson), std::move(*task)}).task;
}

std::string_view own_hint(std::string_view lesson, int step) {
    const OwnTask* task = own_task(lesson);
    const auto place = static_cast<std::size_t>(step);
    return task == nullptr || place >= task->steps.size() ? std::string_view() : task->steps[place].hint;
}

std::string lesson_in_log(std::string_view lesson) {
    const OwnTask* task = own_task(lesson);
    if (task == nullptr) return std::string(lesson);
    const std::uint64_t print = fingerprint(std::as_bytes(std::span(lesson)));
    return concat(kTask, " ", hexadecimal(static_cast<std::uint32_t>(print), kLogDigits), " ", task->title);
}

std::string_view task_title_in_log(std::string_view logged) {
    const std::size_t title = kTask.size() + kLogDigits + 2;
    const bool is_logged = logged.starts_with(kTask) && logged.size() > title && logged[kTask.size()] == ' ';
    return is_logged ? logged.substr(title) : std::string_view();
}

}  // namespace attn
