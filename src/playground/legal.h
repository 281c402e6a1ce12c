// Bad input from people is never an error: every value is moved to the nearest legal one, with a note in plain words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "playground/state.h"

namespace attn {

// Sentences for the visitor, e.g. "heads set to 4: 16 channels cannot be split into 5 equal heads".
using Notes = std::vector<std::string>;

// Moves every field to the nearest legal value; a note for each change. Legal states come back unchanged with no notes.
// Afterwards: 1..kMaxSentences texts of valid UTF-8; 1 <= d_in, d_out <= kMaxWidth; num_heads divides d_out;
// num_heads * T * T <= kMaxScoreElements for each sentence; init none has d_out = d_in, no bias, no output projection;
// 0 < temperature, finite; 0 <= dropout < 1; stage, head, cell and sentence exist for these inputs.
// Edits that lie outside the present shapes are kept (they come back when the shape does) and named in a note.
Notes clamp_to_legal(PlaygroundState& state);

// The whole numbers that divide d_out, ascending: the legal values of num_heads.
std::vector<int> legal_num_heads(int d_out);

// The names that `hide` understands.
std::span<const std::string_view> hideable_parts();

}  // namespace attn
