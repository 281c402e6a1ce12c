// What the lessons say, one function a lesson, in files by subject. Each gives the steps in the order of their links
// (lesson_links.cpp); lessons() puts both together. Only text and numbers that were printed elsewhere: nothing is
// computed.
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

}  // namespace attn
