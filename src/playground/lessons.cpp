// See lessons.h: how lessons are found and followed. What they say is in the files of lesson_texts.h.
#include "playground/lessons.h"

#include <algorithm>

#include "core/check.h"
#include "playground/lesson_texts.h"
#include "playground/state_url.h"

namespace attn {
namespace {

std::vector<Lesson> make_lessons() {
    std::vector<Lesson> all = {lesson_without_weights(), lesson_trainable_weights(),
                               lesson_scaling(),         lesson_causal(),
                               lesson_dropout(),         lesson_heads(),
                               lesson_split(),           lesson_batch(),
                               lesson_stacked(),         lesson_cost(),
                               lesson_sentences()};
    for (Lesson& lesson : all) {
        ATTN_CHECK(!lesson.steps.empty(), "lesson ", lesson.name, " has no steps");
        for (LessonStep& step : lesson.steps) {
            ReadLink read = read_link(step.link);
            ATTN_CHECK(read.notes.empty(), lesson.name, ", ", step.title, ": ", read.notes.front());
            step.state = std::move(read.state);
        }
    }
    return all;
}

}  // namespace

std::span<const Lesson> lessons() {
    static const std::vector<Lesson> table = make_lessons();
    return table;
}

const Lesson* find_lesson(std::string_view name) {
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

void go_to_step(PlaygroundState& state, const Lesson& lesson, int step) {
    ATTN_CHECK(step >= 0 && step < static_cast<int>(lesson.steps.size()), "step is ", step, " of ", lesson.name);
    PlaygroundState next = lesson.steps[static_cast<std::size_t>(step)].state;
    next.view.theme = state.view.theme;
    next.view.lang = state.view.lang;
    next.view.hide = state.view.hide;
    next.view.lesson = lesson.name;
    next.view.step = step;
    state = std::move(next);
}

void leave_lesson(View& view) {
    view.lesson.clear();
    view.step = 0;
}

Notes clamp_lesson(View& view) {
    Notes notes;
    const Lesson* lesson = lesson_of(view);
    if (lesson == nullptr) {
        if (!view.lesson.empty()) notes.push_back(concat("no lesson is called ", quoted(view.lesson)));
        leave_lesson(view);
        return notes;
    }
    const int num_steps = static_cast<int>(lesson->steps.size());
    if (view.step >= 0 && view.step < num_steps) return notes;
    view.step = std::clamp(view.step, 0, num_steps - 1);
    notes.push_back(concat("step set to ", view.step + 1, ": the lesson has ", counted(num_steps, "step")));
    return notes;
}

}  // namespace attn
