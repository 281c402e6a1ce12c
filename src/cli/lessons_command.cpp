// Walks the lessons and prints each step.
#include "cli/kinds_command.h"

#include <algorithm>
#include <vector>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/check/check_course.h"
#include "playground/lessons/claims.h"
#include "playground/lessons/lessons.h"
#include "playground/lessons/prediction.h"
#include "playground/lessons/step_words.h"
#include "playground/link/own_task.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "share/formats/task_file.h"

namespace attn {
namespace {

std::string list_of_lessons() {
    std::size_t widest = 0;
    for (const Lesson& lesson : lessons()) widest = std::max(widest, lesson.name.size());
    const std::string indent(widest + 2, ' ');
    std::string text;
    for (const Lesson& lesson : lessons()) {
        const auto num_asked =
            std::ranges::count_if(lesson.steps, [](const LessonStep& step) { return step.asks.has_value(); });
        const int num_steps = static_cast<int>(lesson.steps.size());
        text +=
            concat(lesson.name, indent.substr(lesson.name.size()), lesson.title, " (", counted(num_steps, "step"), ", ",
                   counted(static_cast<int>(num_asked), "prediction"), ", ", minutes_of(lesson), " minutes)\n");
    }
    return text;
}

// The question of a step, its choices, "*" before those that are right, and what is said after a choice.
std::string prediction_text(const PlaygroundState& state) {
    const PredictionRow* row = asked_row(state.view);
    if (row == nullptr) return {};
    PredictionCourse course;
    keep_prediction(course, AnswerLog(), state);
    const std::vector<int> right = right_choices(course);
    const bool is_order = row->kind == PredictionKind::order;
    std::string text = concat("   Predict: ", row->question, "\n");
    for (std::size_t i = 0; i < course.choices.size(); ++i) {
        const auto at = is_order && !right.empty() ? static_cast<std::size_t>(right[i]) : i;
        const bool is_right = is_order || std::ranges::find(right, static_cast<int>(i)) != right.end();
        AnswerLog log;
        PredictionCourse tried = course;
        PlaygroundState next = state;
        const std::string said = is_right ? std::string() : choose(tried, log, state, next, static_cast<int>(at));
        const std::string why = log.records().empty() || log.records()[0].mistakes.empty()
                                    ? std::string()
                                    : concat(": ", log.records()[0].mistakes[0]);
        text += concat("     ", is_order ? concat(i + 1, ".") : std::string(is_right ? "*" : "-"), " ",
                       course.choices[at].says, why, "\n");
    }
    StepNumbers numbers(state.view, course.inputs);
    return concat(text, "     ", numbers.filled(row->reason), "\n");
}

// What a step asks to be typed, with the numbers.
std::string asked_text(const PlaygroundState& state, const Evaluation& evaluation) {
    if (!is_exercise(state.view) || state.view.check.empty()) return {};
    std::string text;
    for (const Question& question : asked_questions(state, evaluation)) {
        const Vector row =
            stage_row(*evaluation.problem, evaluation.trace, question.stage, question.head, question.row);
        text += concat("   Asks for: ", question_for_sheet(evaluation, question), ": ",
                       shown_number(static_cast<double>(row(question.column))), "\n");
    }
    return text;
}

std::string steps_of(const Lesson& lesson) {
    const bool is_own = is_task(lesson.name);  // whose link is long
    std::string text = concat(lesson.title, "\n", is_own ? concat("\n#", link_of_step(lesson, 0), "\n") : "");
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        PlaygroundState state;
        go_to_step(state, lesson, static_cast<int>(i));
        const Evaluation evaluation = evaluate(state.inputs, state.view.sentence);
        const std::string_view hint = own_hint(lesson.name, static_cast<int>(i));
        text += concat("\n", i + 1, ". ", lesson.steps[i].title,
                       is_own ? "" : concat("   #", link_of_step(lesson, static_cast<int>(i))), "\n   ",
                       joined(step_words(state, evaluation)), "\n", asked_text(state, evaluation),
                       hint.empty() ? "" : concat("   Hint: ", hint, "\n"), prediction_text(state));
    }
    return text;
}

}  // namespace

bool is_about_lessons(std::span<const std::string> arguments) {
    return !arguments.empty() && arguments.size() <= 2 && arguments[0] == "lessons" &&
           (arguments.size() == 1 || !arguments[1].starts_with('-'));
}

bool is_about_task(std::span<const std::string> arguments) {
    return arguments.size() == 3 && arguments[0] == "lessons" && arguments[1] == "--task";
}

Result<std::string> lessons_text(std::span<const std::string> arguments) {
    if (arguments.size() == 1) return list_of_lessons();
    const Lesson* lesson = find_lesson(arguments[1]);
    if (lesson == nullptr)
        return Result<std::string>::failure(
            concat("No lesson is called ", quoted(arguments[1]), "; attn lessons lists them."));
    return steps_of(*lesson);
}

Result<std::string> task_text(std::string_view file) {
    const Result<TaskFile> read = read_task_file(file);
    if (!read) return Result<std::string>::failure(read.error());
    const Lesson* lesson = find_lesson(write_task(read->task));
    ATTN_CHECK(lesson != nullptr, "a task that was read cannot be read");
    std::string text = steps_of(*lesson);
    Notes notes = read->notes;
    append_notes(notes, problems_of_task(read->task));
    for (const std::string& note : notes) text += concat("\nNote: ", one_line(note), "\n");
    return text;
}

std::string lessons_help_text() {
    return "  attn lessons [NAME]     the lessons; of one each step: its words, what it asks, and the answers\n"
           "  attn lessons --task FILE   the same of a teacher's task, a JSON file, and what is wrong with it\n"
           "  attn lessons --site FOLDER [--base ADDRESS]   a page for each lesson into a site's folder; with the "
           "site's\n"
           "                          https address also what search engines and link previews read\n\n";
}

}  // namespace attn
