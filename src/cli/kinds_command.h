// What the program tells of itself. attn kinds: which models are read, and what each was held against, as tables for
// people; docs/models.md has them. attn lessons: what the steps of the lessons say and ask, for whoever prepares a
// class.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/ground/result.h"

namespace attn {

// Whether these arguments ask for the tables.
bool is_about_kinds(std::span<const std::string> arguments);

// In Markdown: the kinds of models, and the rotary positions; a row for each that the readers know.
std::string kinds_text();

std::string kinds_help_text();

// Whether these arguments ask for the lessons.
bool is_about_lessons(std::span<const std::string> arguments);

// "lessons": their names, titles and lengths. "lessons causal": each step of one with its link, its words, the numbers
// that it asks for, and its question with what is right and what is wrong with each other choice. Own models are open.
// Fails with a sentence where no lesson has that name.
Result<std::string> lessons_text(std::span<const std::string> arguments);

// Whether these arguments are "lessons --task FILE".
bool is_about_task(std::span<const std::string> arguments);

// The same as lessons_text of a teacher's task, the bytes of its file, with notes on what is wrong with it. Own models
// are open. Fails with read_task_file's sentence.
Result<std::string> task_text(std::string_view file);

std::string lessons_help_text();

}  // namespace attn
