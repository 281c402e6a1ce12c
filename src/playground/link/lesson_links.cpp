// Joins the links of the lessons' steps. Steps share most of their links, so the shared parts are kept once.
#include "playground/link/lesson_links.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/link_text.h"
#include "playground/link/own_task.h"
#include "playground/steps/lesson_table.h"

namespace attn {
namespace {

#define ATTN_LINKS_OF_LESSON(name) &name##_links,
constexpr const LessonParts* kEveryLesson[] = {ATTN_LESSONS(ATTN_LINKS_OF_LESSON)};
#undef ATTN_LINKS_OF_LESSON
#define ATTN_COUNT_LESSON(name) +1
constexpr std::size_t kNumForward = 0 ATTN_FORWARD_LESSONS(ATTN_COUNT_LESSON);
constexpr std::size_t kNumWithoutModels = kNumForward ATTN_LEARNING_LESSONS(ATTN_COUNT_LESSON);
#undef ATTN_COUNT_LESSON

// Those whose keys this build knows.
constexpr auto kLessons = [] {
    constexpr std::size_t kCount = kForwardOnly   ? kNumForward
                                   : kOpensModels ? std::size(kEveryLesson)
                                                  : kNumWithoutModels;
    std::array<const LessonParts*, kCount> some = {};
    std::copy_n(std::begin(kEveryLesson), kCount, some.begin());
    return some;
}();

std::string link_of(const StepLink& step) {
    std::string shared;
    for (const std::string_view part : step.shared) shared += part;
    std::string link = shared;
    link += step.own;
    if (!step.other.empty()) {
        shared += step.other;
        link += concat("&view=compare&compare=", encode_form(shared));
    }
    return link;
}

std::vector<LessonLinks> make_links() {
    std::vector<LessonLinks> all;
    for (const LessonParts* parts : kLessons) {
        LessonLinks& lesson = all.emplace_back();
        lesson.name = parts->name;
        std::string_view rest = parts->words;
        for (const SharedParts& shared : parts->shared) {
            const std::string_view own = take_until(rest, '\n');
            lesson.links.push_back(link_of({shared, own, take_until(rest, '\n')}));
        }
    }
    return all;
}

const LessonLinks* find_links(std::string_view name) {
    const std::span<const LessonLinks> all = lesson_links();
    const auto place =
        std::find_if(all.begin(), all.end(), [&](const LessonLinks& lesson) { return lesson.name == name; });
    return place == all.end() ? nullptr : &*place;
}

void clamp_step(View& view, int num_steps, Notes& notes) {
    if (view.step >= 0 && view.step < num_steps) return;
    view.step = std::clamp(view.step, 0, num_steps - 1);
    notes.push_back(concat("step set to ", view.step + 1, ": the lesson has ", counted(num_steps, "step")));
}

// Its value becomes as write_task writes it.
[[maybe_unused, gnu::noinline]] Notes clamp_task(View& view) {
    Notes notes;
    const Result<OwnTask> task = read_task(view.lesson);
    if (!task) {
        notes.push_back(concat("the link’s task is left out: ", task.error()));
        leave_lesson(view);
        return notes;
    }
    view.lesson = write_task(*task);
    clamp_step(view, static_cast<int>(task->steps.size()), notes);
    return notes;
}

}  // namespace

std::span<const LessonLinks> lesson_links() {
    static const std::vector<LessonLinks> table = make_links();
    return table;
}

void leave_lesson(View& view) {
    view.lesson.clear();
    view.step = 0;
}

Notes clamp_lesson(View& view) {
    if constexpr (kOpensModels) {
        if (is_task(view.lesson)) return clamp_task(view);
    }
    Notes notes;
    const LessonLinks* lesson = view.lesson.empty() ? nullptr : find_links(view.lesson);
    if (lesson == nullptr) {
        if (!view.lesson.empty()) notes.push_back(concat("no lesson is called ", quoted(view.lesson)));
        leave_lesson(view);
        return notes;
    }
    clamp_step(view, static_cast<int>(lesson->links.size()), notes);
    return notes;
}

}  // namespace attn
