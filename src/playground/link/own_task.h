// A lesson that somebody else wrote, a teacher's task: the whole of it is the value of the key `lesson`, so a link, a
// session file and undo carry it as they carry the name of one of ours. This room knows its texts and limits;
// lessons/lessons.h makes a Lesson of it, share/formats/task_file.h reads and writes it as JSON.
//
// The value is lines: "task1", title, about, keep; then of each step title, link, text, answer, hint, question, and
// where there is a question reason, each choice ("=" before a right one, "-" before a wrong one) with its why, and an
// empty line; at last "end", so that a link that was cut is known.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"

namespace attn {

struct OwnStep {
    struct Choice {
        std::string says, why;  // why: what is wrong with it
        bool is_right = false;
    };
    std::string title;
    std::string link;              // the state, as a visitor could type it; names no lesson
    std::string text;              // its braces name numbers of the state (lessons/step_words.h)
    std::string answer;            // to what the step asks, told in the next one; braces as in `text`
    std::string hint;              // the first hint of Check me
    std::string question, reason;  // empty: asks for no choice; the reason is told after any choice
    std::vector<Choice> choices;
};

struct OwnTask {
    std::string title, about;
    std::string keep;  // what to keep of it, told in the last step
    std::vector<OwnStep> steps;
};

// Limits in bytes of UTF-8, and in numbers of things.
inline constexpr std::size_t kMaxTaskBytes = 64 << 10;  // of the file, and of the value
inline constexpr std::size_t kMaxTaskSteps = 40;
inline constexpr std::size_t kMaxTaskChoices = 8;
inline constexpr std::size_t kMaxTaskTitle = 120;      // of the task, of a step, of a choice
inline constexpr std::size_t kMaxTaskSentence = 600;   // about, keep, answer, hint, question, reason, why
inline constexpr std::size_t kMaxTaskText = 2000;      // of a step
inline constexpr std::size_t kMaxTaskStepLink = 8000;  // of a step's state

// Whether the value of `lesson` is a task, of whatever version, and not the name of a lesson of ours.
bool is_task(std::string_view lesson);

// What forbids the task, in a sentence that names the step, "step 2: its text has 2,104 bytes; at most 2,000 fit";
// empty where it can be shown. Not whether its numbers exist: problems_of_task (lessons/lessons.h) says that.
std::string why_no_task(const OwnTask& task);

// The value of `lesson`. The task is one that why_no_task allows; its texts become lines (one_line).
std::string write_task(const OwnTask& task);

// The task of such a value. The error is a sentence: cut, of another version, or why_no_task.
Result<OwnTask> read_task(std::string_view lesson);

// The task of a legal value; null for the name of a lesson of ours, and for "". Remains valid until eight other tasks
// have been read.
const OwnTask* own_task(std::string_view lesson);

// The teacher's hint in that step of a legal lesson; empty where there is none. `step` from 0.
std::string_view own_hint(std::string_view lesson, int step);

// What answers are kept under: the name of a lesson of ours; of a task "task", its fingerprint and its title.
std::string lesson_in_log(std::string_view lesson);

// The title in such a name; empty in the name of a lesson of ours.
std::string_view task_title_in_log(std::string_view logged);

}  // namespace attn
