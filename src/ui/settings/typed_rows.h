// Numbers typed or pasted into the table of embeddings: text to numbers and into their place. Knows no ImGui.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// Rows of numbers as people copy them from a notebook or a spreadsheet: rows end at a new line or ';', numbers are
// separated by commas, tabs or blanks; brackets are ignored. Returns nothing and adds a note for anything else: text,
// NaN, infinity, or a number too large for a float.
std::optional<TypedRows> parse_typed_rows(std::string_view text, Notes& notes);

// Whether the text holds more than one number, or none: what a single cell cannot take.
bool holds_several_numbers(std::string_view text);

// Writes `pasted` over the typed rows of `sentence`, its first number at (row, column); drops what lies outside
// num_rows x num_columns, with a note. A sentence without rows of its own gets a copy of those that served it.
void place_typed_rows(Inputs& inputs, int sentence, int row, int column, const TypedRows& pasted, int num_rows,
                      Notes& notes);

// The typed number of a cell; 0 where none was typed.
float typed_number(const Inputs& inputs, int sentence, int row, int column);

}  // namespace attn
