// What the views and lessons of a link say: lists of tokens, stages, and the like. clamp_to_legal checks that
// they exist for these inputs.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// "1900,1963,0,63": first row, last row, first column, last column, from 0; empty: none.
void read_window(std::string_view value, std::optional<CellWindow>& window, Notes& notes);
std::string write_window(const CellWindow& window);

// "2,5,7": query tokens, from 0. What is not a number is left out, with a note.
void read_select(std::string_view value, std::set<int>& select, Notes& notes);
std::string write_select(const std::set<int>& select);

// "0,1" (channels, from 0) or "principal".
void read_plane(std::string_view value, Plane& plane, Notes& notes);
std::string write_plane(const Plane& plane);

// "0.1,-0.2,0.3": at least one number, else the vector stays.
void read_vector(std::string_view value, std::vector<float>& vector, Notes& notes);
std::string write_vector(const std::vector<float>& vector);

// "weights,context" or "all".
void read_check(std::string_view value, View& view, Notes& notes);
std::string write_check(const View& view);  // empty: nothing is asked for

// "7/9" or "7/9/1": right, asked, hints.
void read_score(std::string_view value, std::optional<Score>& score, Notes& notes);
std::string write_score(const Score& score);

// The enlarged head; empty for none.
void read_head(std::string_view value, std::optional<int>& head, Notes& notes);

// "head,row,column"; empty for none.
void read_cell(std::string_view value, std::optional<Cell>& cell, Notes& notes);
std::string write_cell(const Cell& cell);

// Names separated by commas, each once: of `hide` and `lock`. No value for an empty set.
void read_set(std::set<std::string>& names, std::string_view value);
std::vector<std::string> write_set(const std::set<std::string>& names);

}  // namespace attn
