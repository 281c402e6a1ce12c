// Looks for what is wrong with a task: opens each step as a class would, and looks up what its texts name.
#include <span>
#include <string>
#include <string_view>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/lessons/claims.h"
#include "playground/lessons/lessons.h"
#include "playground/lessons/step_words.h"
#include "playground/link/state_url.h"

namespace attn {
namespace {

// A text that is shown as it is.
struct PlainText {
    std::string_view name, text;
};

void note_braces(std::span<const PlainText> texts, std::string_view where, Notes& notes) {
    for (const PlainText& plain : texts) {
        if (plain.text.find('{') != std::string_view::npos)
            notes.push_back(concat(where, plain.name,
                                   " has a brace: numbers can be named in a step’s text, in a reason "
                                   "and in a why only"));
    }
}

// The sums in the braces of a reason or a why.
void note_sums(std::string_view text, StepNumbers& numbers, std::string_view where, Notes& notes) {
    for (const std::string_view sum : named_in_braces(text)) {
        if (!numbers.number(sum))
            notes.push_back(concat(where, "{", one_line(sum), "} is no number of this step’s state"));
    }
}

void note_step(const OwnTask& task, const Lesson& lesson, int place, Notes& notes) {
    const OwnStep& step = task.steps[static_cast<std::size_t>(place)];
    const std::string where = concat("step ", place + 1, ": ");
    for (const std::string& note : read_link(step.link).notes) notes.push_back(concat(where, note));
    const PlainText plain[] = {{"its title", step.title},
                               {"its hint", step.hint},
                               {"its answer", step.answer},
                               {"its question", step.question}};
    note_braces(plain, where, notes);
    PlaygroundState state;
    go_to_step(state, lesson, place);
    if (!step.hint.empty() && state.view.check.empty() && !state.view.asks_counts)
        notes.push_back(concat(where, "it has a hint, and Check me asks for nothing: choose a stage to ask for"));
    StepNumbers numbers(state.view, state.inputs);
    const Evaluation* evaluation = numbers.evaluation();
    if (evaluation == nullptr) return;  // no tokens, or its model is not open
    for (const std::string_view name : named_in_braces(step.text)) {
        const std::string why = why_no_number(name, *evaluation);
        if (!why.empty()) notes.push_back(concat(where, why));
    }
    note_sums(step.reason, numbers, where, notes);
    for (const OwnStep::Choice& choice : step.choices) note_sums(choice.why, numbers, where, notes);
}

}  // namespace

Notes problems_of_task(const OwnTask& task) {
    Notes notes;
    const PlainText plain[] = {{"the task’s title", task.title},
                               {"what the task is about", task.about},
                               {"what to keep of the task", task.keep}};
    note_braces(plain, "", notes);
    const std::string name = write_task(task);
    for (int step = 0; step < static_cast<int>(task.steps.size()); ++step) {
        // Found anew each time: a link of a step may be looked up, too.
        const Lesson* lesson = find_lesson(name);
        ATTN_CHECK(lesson != nullptr, "the task cannot be read: ", name.substr(0, 100));
        note_step(task, *lesson, step, notes);
    }
    return notes;
}

}  // namespace attn
