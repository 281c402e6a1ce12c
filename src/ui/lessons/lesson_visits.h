// Which steps of the lessons a visitor has seen, as a text that outlasts the visit: "causal=1 causal=2 heads=1".
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace attn {

using VisitedSteps = std::map<std::string, std::set<int>>;  // of each lesson, from 0

// Steps count from 1.
std::string write_visited(const VisitedSteps& steps);

// Adds the steps of the text; ignores words that name no step of a lesson.
void add_visited(VisitedSteps& steps, std::string_view text);

}  // namespace attn
