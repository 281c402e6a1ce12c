// Typed embeddings and edits as links write them. Rows are separated by ';', numbers by ',':
// x=0.43,0.15,0.89;0.55,0.87,0.66   edit=w_query[0,1]=0.5   edit=w_query[0,0]=1,2;3,4   edit=2.w_query[0,1]=0.5
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// The value of one `x`. What is not a number counts as 0, with a note.
TypedRows read_rows(std::string_view value, Notes& notes);
std::string write_rows(const TypedRows& rows);

// Edits read from one link: more than can be legal, so that clamp_to_legal notices, and few enough for any memory.
inline constexpr std::size_t kMostEditsRead = 2 * kMaxEdits;

// The value of one `edit`: a cell and the numbers that stand from there to the right and, after each ';', below.
// "b_query[3]" and "b_query[0,3]" name the same cell; "x[1,0,2]" is sentence 1, "x[0,2]" is sentence 0;
// "2.w_query[0,1]" is of a model's second layer, without a number before it of the one that is shown. Appends to
// `edits`: nothing for an empty value; what cannot be read is left out, with a note.
void read_edit(std::string_view value, std::vector<Edit>& edits, Notes& notes);

// The values of `edit` for sorted edits, with their layers where there is a model. Neighbours in a row become one run,
// equal runs in consecutive rows one block.
std::vector<std::string> write_edits(const std::vector<Edit>& edits, bool has_model);

}  // namespace attn
