// Bad input from people is never an error: every value is moved to the nearest legal one, with a note in plain words.
#pragma once

#include "playground/link/clamp_fields.h"

namespace attn {

// Moves every field to the nearest legal value; a note for each change, none when nothing changed, so a second call has
// nothing left to do. Afterwards:
// - 1 to kMaxSentences texts of valid UTF-8, each at most kMaxTextBytes long;
// - 1 <= d_in, d_out <= kMaxWidth, with an open model kMaxModelWidth; num_heads divides d_out;
// - num_heads * T * T <= kMaxScoreElements for each sentence;
// - Init::none has d_out = d_in, no bias and no output projection;
// - temperature, dropout, typed numbers and edits are finite and within the limits of state.h;
// - the edits are sorted, one a cell (the last one made wins, without a note), within the largest shapes there can be.
//   Those outside the present shapes stay, and evaluate() names them: they come back when the shape does;
// - stage, head, cell and sentence exist for these inputs.
// Costs no more than tokenizing the sentences, and that only where a limit depends on T.
Notes clamp_to_legal(PlaygroundState& state);

}  // namespace attn
