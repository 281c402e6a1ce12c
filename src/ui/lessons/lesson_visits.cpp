// Writes visited steps as "causal=1 heads=1", the last one at the end, and reads them.
#include "ui/lessons/lesson_visits.h"

#include <algorithm>
#include <charconv>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"

namespace attn {

std::string write_visited(const VisitedSteps& steps, const LessonPlace& last) {
    std::string text;
    const auto add = [&](const LessonPlace& place) {
        text += concat(text.empty() ? "" : " ", place.lesson, "=", place.step + 1);
    };
    for (const auto& [lesson, seen] : steps) {
        for (const int step : seen) {
            const LessonPlace place = {.lesson = lesson, .step = step};
            if (place != last) add(place);
        }
    }
    if (!last.lesson.empty()) add(last);
    return text;
}

// Not inlined: the page calls it after its first picture.
[[gnu::noinline]] LessonPlace add_visited(VisitedSteps& steps, std::string_view text) {
    LessonPlace last;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos) continue;
        const std::string_view name = word.substr(0, equals);
        const std::string_view digits = word.substr(equals + 1);
        int step = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
        if (error != std::errc{} || end != digits.data() + digits.size()) continue;
        const auto all = lessons();
        const auto lesson = std::find_if(all.begin(), all.end(), [&](const Lesson& one) { return one.name == name; });
        if (lesson == all.end() || step < 1 || step > static_cast<int>(lesson->steps.size())) continue;
        last = {.lesson = std::string(name), .step = step - 1};
        steps[last.lesson].insert(last.step);
    }
    return last;
}

}  // namespace attn
