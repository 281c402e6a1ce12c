// What the lessons say, one function a lesson, in files by subject. Each gives the steps with their links; lessons()
// puts them in order and makes the states. Only text and numbers that were printed elsewhere: nothing is computed.
#pragma once

#include "playground/lessons.h"

namespace attn {

Lesson lesson_without_weights();
Lesson lesson_trainable_weights();
Lesson lesson_scaling();
Lesson lesson_causal();
Lesson lesson_dropout();
Lesson lesson_heads();
Lesson lesson_split();
Lesson lesson_batch();
Lesson lesson_stacked();
Lesson lesson_cost();
Lesson lesson_sentences();

// "Your journey starts with one step" with the three numbers a token that the lecture uses, shown without positions.
inline constexpr std::string_view kJourney =
    "text=Your+journey+starts+with+one+step&embed=typed&pos=none"
    "&x=.43,.15,.89;.55,.87,.66;.57,.85,.64;.22,.58,.33;.77,.25,.1;.05,.8,.55";

}  // namespace attn
