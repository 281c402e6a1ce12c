// Names and links of the lessons' steps, without their texts (lessons.h). Reading a link needs no more of the
// lessons, and the engine module carries no more.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

struct LessonLinks {
    std::string_view name;           // in links: "causal"
    std::vector<std::string> links;  // of each step: the state, as a visitor could type it, without lesson and step
};

// Ours, in the order they build on each other. Each link is legal without notes.
std::span<const LessonLinks> lesson_links();

// Leaves the lesson; the numbers and the picture stay.
void leave_lesson(View& view);

// What clamp_to_legal does with lesson and step: a lesson that does not exist, and a task that cannot be read, is left
// out, a step moves to the nearest one that exists.
Notes clamp_lesson(View& view);

}  // namespace attn
