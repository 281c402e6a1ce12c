// Where the steps of the lessons lead: names, links and states, without a word of what is said about them (lessons.h).
// All that reading a link needs to know of lessons; the engine module carries no more of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "playground/notes.h"
#include "playground/state.h"

namespace attn {

struct LessonLinks {
    std::string_view name;           // in links: "causal"
    std::vector<std::string> links;  // of each step: the state, as a visitor could type it, without lesson and step
    std::vector<PlaygroundState> states;  // of those links
};

// In the order the lessons build on each other. Each link is legal without notes.
std::span<const LessonLinks> lesson_links();

// What the step that the view says is on begins with; null when no lesson is on. The view is legal.
const PlaygroundState* step_state(const View& view);

// Leaves the lesson; the numbers and the picture stay.
void leave_lesson(View& view);

// What clamp_to_legal does with lesson and step: a lesson that does not exist is none, a step the nearest there is.
Notes clamp_lesson(View& view);

}  // namespace attn
