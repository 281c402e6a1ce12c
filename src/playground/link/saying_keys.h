// The keys of view=model and view=lens: what is looked at, and how the next word is drawn. Rows of the key table, and
// what makes their fields legal. The engine module has none of them.
#pragma once

#include <vector>

#include "playground/link/key_info.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// Puts them behind the keys of the other experiments.
void insert_saying_keys(std::vector<KeyInfo>& table);

// Moves them to legal values.
void clamp_saying(const Inputs& inputs, View& view, Notes& notes);

}  // namespace attn
