// The lessons: each a list of steps, each step a link and a few sentences (steps/lesson_table.h). One table
// (lessons.cpp) that menu, panel, text mirror and tests walk. A step sets the numbers and what is looked at, and lets
// the visitor play from there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "playground/link/lesson_links.h"
#include "playground/link/own_task.h"
#include "playground/state/state.h"
#include "playground/steps/lesson_table.h"
#include "playground/text/notes.h"

namespace attn {

// Numbers that a lecture printed, for one head of one stage of the step's state, from (row, column) on.
struct Printed {
    PrintedOf of = PrintedOf::stage;
    TensorId stage = TensorId::weights;
    int head = 0;  // or kAllHeads
    int row = 0;
    int column = 0;
    std::vector<std::vector<float>> numbers;
    int digits = 4;           // decimals as printed: a number follows when it is within half a unit of the last one
    std::string_view source;  // where it was printed, in a few words
};

// What a step asks before it goes on: steps/lesson_table.h says what each text means.
struct PredictionRow {
    struct Choice {
        std::string_view says, claim, why;
    };
    PredictionKind kind = PredictionKind::one;
    std::string_view question, of, why, reason;
    std::vector<Choice> choices;
};

struct LessonStep {
    std::string_view title;
    std::string_view answer_before;           // to what the step before asks; empty where it asks nothing
    std::string_view text;                    // two or three sentences; both as written (step_words.h)
    std::vector<std::string_view> points_at;  // names of items of the screen (UiItem) that it speaks of
    std::vector<std::string_view> keep;       // the last step: two or three sentences to keep of the lesson
    std::vector<Printed> printed;
    std::optional<PredictionRow> asks = {};
    std::string link = {};  // as links go, and its state
    PlaygroundState state = {};
};

struct Lesson {
    std::string_view name;   // in links: "causal"; of a teacher's task all of it (link/own_task.h)
    std::string_view title;  // "Causal attention"; its first words are those that the field uses
    std::string_view group;  // "Training": lessons that stand together in a menu, one after another
    std::string_view about;  // one sentence: what it is about, for the menu and the first step
    std::vector<LessonStep> steps;
};

// Ours, in the order of lesson_links(). The lessons stay where they are; what a model decides of their states follows
// it.
std::span<const Lesson> lessons();

// The lesson of that name, or null: one of ours, or a teacher's task, which is a lesson like ours and in no menu. A
// task stays where it is until eight others were asked for.
const Lesson* find_lesson(std::string_view name);

// The group of tasks; no lesson of ours is in it.
inline constexpr std::string_view kOwnGroup = "Your teacher’s";

// The lesson and the step that the view says are on; null when none is. The view is legal.
const Lesson* lesson_of(const View& view);
const LessonStep* step_of(const View& view);

// The link that opens the lesson at that step (from 0), without '#': "lesson=causal&step=3".
std::string link_of_step(const Lesson& lesson, int step);

// What a teacher should know of a task before a class sees it, one sentence each, without a full stop, that begins with
// the step: numbers that a text names and the state does not have, keys that are not legal. None where all is well. The
// task is one that why_no_task allows. Computes each step, so it takes as long as opening them. What needs a model that
// is not open is passed over.
Notes problems_of_task(const OwnTask& task);

// How long a visitor takes, about: a minute a step, and one more where something is asked.
int minutes_of(const Lesson& lesson);

// Sets the state to step `step` of `lesson`; theme, language and hidden parts stay as they are, and the numbers come in
// that the step leaves blank.
void go_to_step(PlaygroundState& state, const Lesson& lesson, int step);

}  // namespace attn
