// The keys of view=cache: how the sentence is split, and the memory meter. Rows of the key table, and what makes their
// fields legal. The engine module has none of them.
#pragma once

#include <vector>

#include "playground/link/key_info.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// Puts them behind the keys of the other experiments.
void insert_cache_keys(std::vector<KeyInfo>& table);

// Of an otherwise legal state. Where a sentence is shorter than the prompt that links leave out, all of it is the
// prompt.
void clamp_cache(const Inputs& inputs, View& view, Notes& notes);

}  // namespace attn
