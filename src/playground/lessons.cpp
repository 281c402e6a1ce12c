// See lessons.h: how lessons are found and followed. What they say is in the files of lesson_texts.h, where their steps
// lead in lesson_links.cpp.
#include "playground/lessons.h"

#include <algorithm>

#include "core/check.h"
#include "playground/lesson_texts.h"

namespace attn {
namespace {

std::vector<Lesson> make_lessons() {
    std::vector<Lesson> all = {lesson_without_weights(), lesson_trainable_weights(),
                               lesson_scaling(),         lesson_causal(),
                               lesson_dropout(),         lesson_heads(),
                               lesson_split(),           lesson_batch(),
                               lesson_stacked(),         lesson_cost(),
                               lesson_sentences()};
    const std::span<const LessonLinks> links = lesson_links();
    ATTN_CHECK(all.size() == links.size(), "lessons: ", all.size(), " texts, ", links.size(), " links");
    for (std::size_t l = 0; l < all.size(); ++l) {
        std::vector<LessonStep>& steps = all[l].steps;
        ATTN_CHECK(all[l].name == links[l].name && !steps.empty() && steps.size() == links[l].links.size(), "lesson ",
                   all[l].name, " has ", steps.size(), " steps, its links ", links[l].links.size());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            steps[i].link = links[l].links[i];
            steps[i].state = links[l].states[i];
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

}  // namespace attn
