// Which steps of the lessons a visitor has seen, as a text that outlasts the visit: "causal=1 heads=1 causal=2". The
// last one is where the visitor left off.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace attn {

using VisitedSteps = std::map<std::string, std::set<int>>;  // of each lesson, from 0

// A step of a lesson, from 0; no lesson: nowhere.
struct LessonPlace {
    std::string lesson;
    int step = 0;

    bool operator==(const LessonPlace&) const = default;
};

// Steps count from 1. `last` is one of the steps, or nowhere.
std::string write_visited(const VisitedSteps& steps, const LessonPlace& last);

// Adds the steps of the text; ignores words that name no step of a lesson. Returns the last step that it names.
LessonPlace add_visited(VisitedSteps& steps, std::string_view text);

}  // namespace attn
