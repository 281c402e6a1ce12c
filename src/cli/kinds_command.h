// attn kinds: which models are read, and what each was held against, as tables for people. docs/models.md has them.
#pragma once

#include <span>
#include <string>

namespace attn {

// Whether these arguments ask for the tables.
bool is_about_kinds(std::span<const std::string> arguments);

// In Markdown: the kinds of models, and the rotary positions; a row for each that the readers know.
std::string kinds_text();

std::string kinds_help_text();

}  // namespace attn
