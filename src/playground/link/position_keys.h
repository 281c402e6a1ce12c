// The keys of rotary positions, and what makes them and ALiBi legal. The engine module that computes forward alone has
// no_recipe_keys.cpp in the place of position_keys.cpp.
#pragma once

#include <vector>

#include "playground/link/key_info.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// Puts them behind the keys that they belong to.
void insert_position_keys(std::vector<KeyInfo>& table);

// Positions of inputs with legal heads: rotary ones need heads with an even number of channels.
void clamp_positions(Inputs& inputs, Notes& notes);

}  // namespace attn
